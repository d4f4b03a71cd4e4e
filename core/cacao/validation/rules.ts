/**
 * Every rule a playbook is checked against: one row, one severity, one sentence for the documentation.
 * An error refuses the playbook; a warning tells its author what will surprise at run time.
 */

export type Rule = {
  readonly severity: 'error' | 'warning';
  readonly says: string;
  /** What is wrong is only that something is still to be filled in: see unbound.ts. */
  readonly unbound?: true;
};

export const validationRules = {
  // The document.
  'not-an-object': { severity: 'error', says: 'A playbook is a JSON object.' },
  'nested-too-deep': { severity: 'error', says: 'A playbook is nested at most 64 levels deep.' },
  'spec-version': { severity: 'error', says: 'The version of the format is cacao-2.0.' },
  'required-property': { severity: 'error', says: 'Every property the format requires is there.' },
  'unexpected-property': {
    severity: 'error',
    says: 'Start and end steps have no successors the format forbids.',
  },
  'property-type': { severity: 'error', says: 'Every property has the JSON type of the format.' },
  'property-value': { severity: 'error', says: 'Every property has a value the format allows.' },
  'list-too-short': { severity: 'error', says: 'Lists that need an entry have one.' },
  identifier: { severity: 'error', says: 'Identifiers have the form <type>--<uuid>.' },
  timestamp: { severity: 'error', says: 'Times are in UTC, such as 2024-05-01T12:00:00.000Z.' },
  address: {
    severity: 'error',
    says: 'Addresses fit their kind, unless they hold a variable.',
  },
  'custom-schema': { severity: 'error', says: 'The playbook fits the configured schema.' },
  'more-findings': { severity: 'error', says: 'No more than 1000 findings are listed.' },

  bundle: { severity: 'error', says: 'A playbook is given itself, not inside a STIX bundle.' },
  'embedded-playbook': {
    severity: 'error',
    says: 'The playbook_bin of a STIX object is the base64 of a playbook.',
  },

  // References.
  'start-missing': { severity: 'error', says: 'workflow_start is a step of the workflow.' },
  'exception-missing': { severity: 'error', says: 'workflow_exception is a step of the workflow.' },
  'step-missing': { severity: 'error', says: 'Every successor is a step of the workflow.' },
  'branch-missing': { severity: 'error', says: 'Every branch begins at a step of the workflow.' },
  'agent-missing': {
    severity: 'error',
    says: 'Every agent is defined in agent_definitions.',
    unbound: true,
  },
  'target-missing': {
    severity: 'error',
    says: 'Every target is defined in target_definitions.',
    unbound: true,
  },
  'authentication-missing': {
    severity: 'error',
    says: 'Every authentication_info is defined in authentication_info_definitions.',
    unbound: true,
  },
  'marking-missing': {
    severity: 'warning',
    says: 'Every marking is defined in data_marking_definitions.',
  },
  'email-address': { severity: 'error', says: 'E-mail addresses of contacts are well-formed.' },
  'id-prefix': { severity: 'warning', says: 'The id of a playbook begins with playbook--.' },

  // Flow.
  'step-type': { severity: 'error', says: 'Every step has a known type that fits its id.' },
  loop: {
    severity: 'error',
    says: 'Steps never lead back to themselves; only while-condition repeats.',
  },
  'start-type': { severity: 'warning', says: 'workflow_start is a step of type start.' },
  'branch-without-end': { severity: 'warning', says: 'Every branch ends with an end step.' },
  unreachable: { severity: 'warning', says: 'Every step can be reached from the start.' },
  'shared-continuation': {
    severity: 'warning',
    says: 'No branch runs into the step that follows the branching step: it would run twice.',
  },
  'ambiguous-successor': {
    severity: 'warning',
    says: 'on_completion is not combined with on_success or on_failure.',
  },
  'no-exception-handling': {
    severity: 'warning',
    says: 'Failures are handled by on_failure or by workflow_exception.',
  },
  'calls-itself': { severity: 'warning', says: 'A playbook does not run itself.' },

  // Actions.
  'step-incomplete': {
    severity: 'error',
    says: 'Every step says what it needs: agent, condition, switch or playbook_id.',
    unbound: true,
  },
  'no-commands': {
    severity: 'error',
    says: 'Every action has at least one command.',
    unbound: true,
  },
  'no-agent': {
    severity: 'warning',
    says: 'Every step with commands names an agent.',
    unbound: true,
  },
  'no-capability': {
    severity: 'warning',
    says: 'Every agent in use stands for a capability.',
    unbound: true,
  },
  'no-targets': {
    severity: 'warning',
    says: 'Every action that is not manual has a target.',
    unbound: true,
  },
  'unknown-command': {
    severity: 'warning',
    says: 'Every command has a known type.',
    unbound: true,
  },
  'command-mismatch': {
    severity: 'warning',
    says: 'Every command fits the capability of its agent.',
    unbound: true,
  },
  'empty-command': { severity: 'warning', says: 'Every command says what to do.', unbound: true },
  'not-base64': { severity: 'warning', says: 'command_b64 and content_b64 are base64.' },

  // Variables, conditions, secrets.
  'variable-name': {
    severity: 'warning',
    says: 'Variables are named __name__ with letters, digits, _ and -.',
  },
  'variable-renamed': { severity: 'warning', says: 'A variable calls itself by its key.' },
  'variable-hidden': {
    severity: 'warning',
    says: 'Step variables do not hide playbook variables of the same name.',
  },
  'undefined-variable': {
    severity: 'warning',
    says: 'Every variable in use is declared or returned.',
  },
  condition: { severity: 'warning', says: 'Every condition can be read.', unbound: true },
  'text-comparison': {
    severity: 'warning',
    says: 'Numbers are compared by variables declared as numbers.',
  },
  'inline-credential': {
    severity: 'warning',
    says: 'Secrets come from variables or the key store.',
  },

  // Signatures. What PLAYBOOK_SIGNATURES=require refuses, warn only tells; off does not look.
  'signature-missing': { severity: 'error', says: 'The playbook is signed.' },
  'signature-invalid': { severity: 'error', says: 'A signature fits the playbook as it is.' },
  'signature-untrusted': { severity: 'error', says: 'A trusted key has signed the playbook.' },
  'signature-outdated': {
    severity: 'error',
    says: 'The signature of the trusted key is valid now and not revoked.',
  },
} as const satisfies { readonly [rule: string]: Rule };

export type RuleId = keyof typeof validationRules;
