/**
 * Lint rules for code that is replayed. The durable runtime runs an orchestrator again and again and
 * expects the same actions in the same order, so the code must not look at anything but its input.
 * Rules a linter setting can express are in biome.json; these need the shape of the code.
 */

import { isNode, type SyntaxNode, visitSyntax } from './syntax.ts';

export type Violation = { readonly rule: string; readonly line: number; readonly says: string };

type Rule = { readonly says: string; readonly bites: (node: SyntaxNode) => boolean };

const rules: Readonly<Record<string, Rule>> = {
  synchronous: {
    says: 'An orchestrator is a synchronous generator: no async, await or Promise.',
    bites: (node) =>
      isAsync(node) || node.type === 'AwaitExpression' || isIdentifier(node, 'Promise'),
  },
  clock: {
    says: 'Time comes from the runtime (currentUtcDateTime), not from Date.',
    bites: (node) =>
      isMember(node, 'Date', 'now') ||
      (node.type === 'CallExpression' && isIdentifier(node['callee'], 'Date')) ||
      (node.type === 'NewExpression' &&
        isIdentifier(node['callee'], 'Date') &&
        argumentsOf(node).length === 0),
  },
  randomness: {
    says: 'Ids and chance come from the runtime or the input, not from Math.random.',
    bites: (node) => isMember(node, 'Math', 'random'),
  },
  'durable-subset': {
    says: 'Retries, HTTP calls and entities of the SDK are not replay-safe here; use activities.',
    bites: (node) => forbiddenCalls.has(calledName(node) ?? ''),
  },
  'yield-of-no-task': {
    says: 'continueAsNew, setCustomStatus and signalEntity are no tasks; do not yield them.',
    bites: (node) =>
      node.type === 'YieldExpression' && notTasks.has(calledName(unwrap(node['argument'])) ?? ''),
  },
  'continue-as-new-object': {
    says: 'continueAsNew takes an object; a text would be quoted twice.',
    bites: (node) =>
      calledName(node) === 'continueAsNew' &&
      !argumentsOf(node).every((argument) => mayBeObject(argument)),
  },
  'continue-as-new-returns': {
    says: 'continueAsNew is directly followed by return, or returned.',
    bites: (node) => statementsOf(node).some(continuesWithoutReturn),
  },
  'no-module-state': {
    says: 'Module variables that change are shared by every replay in the process.',
    bites: (node) => node.type === 'Module' && statementsOf(node).some(isMutableDeclaration),
  },
  'no-locale': {
    says: 'Locale-dependent results differ between machines.',
    bites: (node) => /^(toLocale\w*|localeCompare)$/.test(memberName(node) ?? ''),
  },
  'no-for-in': {
    says: 'Iterate over arrays or sorted keys.',
    bites: (node) => node.type === 'ForInStatement',
  },
  'no-finally': {
    says: 'An abandoned replay does not run finally.',
    bites: (node) => node.type === 'TryStatement' && isNode(node['finalizer']),
  },
  'no-global-object': {
    says: 'Nothing of the global object is replayed.',
    bites: (node) => isIdentifier(node, 'globalThis') || isIdentifier(node, 'global'),
  },
};

const forbiddenCalls = new Set([
  'callActivityWithRetry',
  'callSubOrchestratorWithRetry',
  'withRetry',
  'callHttp',
  'callEntity',
  'signalEntity',
  'lock',
]);
const notTasks = new Set(['continueAsNew', 'setCustomStatus', 'signalEntity']);

/** All violations of one orchestrator file, in source order. */
export async function orchestratorViolations(source: string): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  await visitSyntax(source, (node, line) => {
    for (const [rule, { says, bites }] of Object.entries(rules)) {
      if (bites(node)) violations.push({ rule, line, says });
    }
  });
  return violations.toSorted((one, other) => one.line - other.line);
}

/** Async functions, and methods, whose function swc keeps one level down; also `for await`. */
function isAsync(node: SyntaxNode): boolean {
  const inner: unknown = node['function'] ?? {};
  const asyncInside =
    typeof inner === 'object' && inner !== null && 'async' in inner && inner.async;
  return node['async'] === true || node['await'] === true || asyncInside === true;
}

function isIdentifier(node: unknown, name: string): boolean {
  return isNode(node) && node.type === 'Identifier' && node['value'] === name;
}

function memberName(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== 'MemberExpression') return undefined;
  const property = node['property'];
  const name = isNode(property) && property.type === 'Identifier' ? property['value'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function isMember(node: SyntaxNode, object: string, name: string): boolean {
  return memberName(node) === name && isIdentifier(node['object'], object);
}

/** `go` of both `go()` and `a.b.go()`. */
function calledName(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== 'CallExpression') return undefined;
  const callee = node['callee'];
  if (isNode(callee) && callee.type === 'Identifier') return String(callee['value']);
  return memberName(callee);
}

function argumentsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const list: unknown = node['arguments'];
  if (!Array.isArray(list)) return [];
  return list.map((item: unknown) => unwrap(item)).filter(isNode);
}

/** Opens parentheses, and the wrapper swc puts round an argument. */
function unwrap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('expression' in value)) return value;
  return isNode(value) && value.type !== 'ParenthesisExpression' ? value : unwrap(value.expression);
}

function mayBeObject(argument: SyntaxNode): boolean {
  return !/^(String|Numeric|Boolean|Null|Template)Literal$/.test(argument.type);
}

function statementsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const list = node['stmts'] ?? node['body'] ?? node['consequent'];
  const statements: readonly unknown[] = Array.isArray(list) ? list : [];
  return statements.filter(isNode);
}

function continuesWithoutReturn(
  statement: SyntaxNode,
  index: number,
  statements: readonly SyntaxNode[],
): boolean {
  const continues =
    statement.type === 'ExpressionStatement' &&
    calledName(unwrap(statement['expression'])) === 'continueAsNew';
  return continues && statements[index + 1]?.type !== 'ReturnStatement';
}

function isMutableDeclaration(statement: SyntaxNode): boolean {
  const declaration = statement.type === 'ExportDeclaration' ? statement['declaration'] : statement;
  return (
    isNode(declaration) &&
    declaration.type === 'VariableDeclaration' &&
    declaration['kind'] !== 'const'
  );
}
