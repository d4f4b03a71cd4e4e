/**
 * Every reason for which the service says no to a caller: one row, one HTTP status, one sentence.
 *
 * C1  Callers and tests decide by the code and the status, never by the sentence.
 * C2  A name in braces is filled in by the thrower. It must never be a secret or a piece of a body.
 * C3  `docs/errors.md` is generated from this table.
 */

export type CatalogueEntry = {
  readonly status: number;
  readonly message: string;
};

export const catalogue = {
  // The request itself.
  'url-undecodable': { status: 400, message: 'The address of the request cannot be decoded.' },
  'query-invalid': { status: 400, message: 'The query parameter {name} is not valid: {reason}.' },
  'header-invalid': { status: 400, message: 'The header {name} is not valid: {reason}.' },
  'path-unknown': { status: 404, message: 'There is nothing at {path}.' },
  'method-unknown': { status: 405, message: 'The method {method} is not served at {path}.' },
  'body-empty': { status: 400, message: 'The request needs a JSON object as its body.' },
  'body-not-text': { status: 400, message: 'The body of the request is not UTF-8 text.' },
  'body-not-json': { status: 400, message: 'The body of the request is not JSON.' },
  'body-not-object': { status: 400, message: 'The body of the request must be a JSON object.' },
  'body-too-deep': {
    status: 400,
    message: 'The body of the request is nested deeper than {limit} levels.',
  },
  'body-too-large': {
    status: 413,
    message: 'The body of the request is larger than {limit} bytes.',
  },
  'body-invalid': { status: 400, message: 'The body of the request is not valid: {reason}.' },

  // Who is asking.
  unauthenticated: { status: 401, message: 'The request needs a valid bearer token.' },
  'token-invalid': { status: 401, message: 'The bearer token is not accepted: {reason}.' },
  'role-missing': {
    status: 403,
    message: 'The caller has no role in this service, or does not belong to its group.',
  },
  forbidden: { status: 403, message: 'The caller lacks the permission {permission}.' },
  'origin-refused': { status: 403, message: 'Requests from this origin are not allowed.' },
  'rate-limited': {
    status: 429,
    message: 'There are too many requests; try again in {seconds} seconds.',
  },

  // Playbooks. The contract answers 400, not 404, when a playbook is missing.
  'playbook-exists': { status: 409, message: 'Playbook {id} is already stored.' },
  'playbook-missing': { status: 400, message: 'There is no playbook {id}.' },
  'playbook-invalid': { status: 400, message: 'The playbook is not valid: {findings}' },
  'playbook-draft': {
    status: 400,
    message: 'The playbook is a draft; before it can be executed, bind: {findings}',
  },
  'playbook-id-mismatch': {
    status: 400,
    message: 'The playbook in the body has the id {bodyId}, the address says {pathId}.',
  },

  // Triggering a playbook with values for its variables.
  'variable-unknown': { status: 400, message: 'The playbook declares no variable {name}.' },
  'variable-not-external': {
    status: 400,
    message: 'The variable {name} is not declared external, so a trigger cannot set it.',
  },
  'variable-type-mismatch': {
    status: 400,
    message: 'The variable {name} is declared as {declared}; the request says {given}.',
  },
  'variable-name-mismatch': {
    status: 400,
    message: 'The variable under the key {key} calls itself {name}.',
  },
  'variable-value-invalid': {
    status: 400,
    message: 'The value of the variable {name} is not a text, number or boolean.',
  },
  'idempotency-key-reused': {
    status: 422,
    message: 'The Idempotency-Key of this request was used for a different request before.',
  },

  // Executions.
  'execution-id-malformed': { status: 400, message: '{id} is not an execution id (a UUID).' },
  'execution-missing': { status: 404, message: 'There is no execution {id}.' },
  'execution-finished': {
    status: 409,
    message: 'Execution {id} has ended; it cannot be asked to {action}.',
  },
  'execution-unfinished': {
    status: 409,
    message: 'Execution {id} has not ended yet; it cannot be asked to {action}.',
  },
  'step-missing': { status: 400, message: 'The playbook has no step {id}.' },
  'step-unreachable': {
    status: 409,
    message: 'Execution {id} cannot be begun again at step {step}: {reason}.',
  },
  'script-invalid': {
    status: 400,
    message: 'The scripted answers of the dry run are not valid: {reason}.',
  },

  // Manual commands and their answers.
  'manual-missing': {
    status: 404,
    message: 'Step {step} of execution {id} has no pending manual command.',
  },
  'answer-incomplete': { status: 400, message: 'The answer lacks the property {name}.' },
  'answer-status-invalid': {
    status: 400,
    message: 'The response_status of an answer is success or failure.',
  },
  'answer-playbook-mismatch': {
    status: 400,
    message: 'The manual command belongs to the playbook {id}.',
  },
  'answer-variable-missing': { status: 400, message: 'The answer does not fill {name}.' },
  'answer-variable-unknown': {
    status: 400,
    message: 'The manual command does not ask for {name}.',
  },
  'answer-variable-type-mismatch': {
    status: 400,
    message: 'The manual command asks for {name} as {declared}; the answer says {given}.',
  },
  'answer-variable-name-mismatch': {
    status: 400,
    message: 'The answered variable under the key {key} calls itself {name}.',
  },
  'answer-value-invalid': {
    status: 400,
    message: 'The answer for {name} has no text, number or boolean as its value.',
  },

  // SSH keys and fins.
  'key-management-off': { status: 404, message: 'SSH key management is not enabled.' },
  'key-name-invalid': { status: 400, message: '{name} is not a permitted key name.' },
  'key-invalid': { status: 400, message: 'The {part} key is not valid: {reason}.' },
  'key-exists': { status: 409, message: 'A key named {name} exists already.' },
  'key-missing': { status: 404, message: 'There is no key named {name}.' },
  'key-directory-unreadable': { status: 500, message: 'The directory of SSH keys cannot be read.' },
  'fin-missing': { status: 404, message: 'There is no fin {id}.' },

  // The service itself.
  'not-ready': { status: 503, message: 'The service is not ready: {part} is away.' },
  'store-away': { status: 503, message: 'The store does not answer; try again later.' },
  'broker-away': { status: 503, message: 'The message broker does not answer; try again later.' },
  'identity-provider-away': {
    status: 503,
    message: 'The identity provider does not answer, so tokens cannot be checked.',
  },
  internal: { status: 500, message: 'The service failed to handle the request.' },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type RefusalCode = keyof typeof catalogue;

/** The arguments a code's sentence asks for, in the order of its braces. */
export type RefusalArguments<Code extends RefusalCode> = Slots<(typeof catalogue)[Code]['message']>;

type Slots<Message extends string> = Message extends `${string}{${string}}${infer Rest}`
  ? readonly [string | number, ...Slots<Rest>]
  : readonly [];
