/** A TypeScript file as a tree of nodes, as far as our own lint rules need one. */

import { parse } from '@swc/core';

export type SyntaxNode = {
  readonly type: string;
  readonly span?: { readonly start: number };
  readonly [property: string]: unknown;
};

/** Calls `visit` for every node that exists at run time, parents first; types are left out. */
export async function visitSyntax(
  source: string,
  visit: (node: SyntaxNode, line: number) => void,
): Promise<void> {
  const bytes = Buffer.from(source);
  const lineAt = (offset: number) =>
    bytes.subarray(0, offset).filter((byte) => byte === 10).length + 1;
  const walk = (node: SyntaxNode, nearestStart: number) => {
    // Offsets are counted in bytes, from one.
    const start = node.span?.start ?? nearestStart;
    visit(node, lineAt(start - 1));
    for (const child of runtimeChildren(node)) walk(child, start);
  };
  const module: unknown = await parse(source, { syntax: 'typescript', target: 'es2024' });
  if (isNode(module)) walk(module, 1);
}

export function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  );
}

/** Every node directly below, in source order, wrappers that are no nodes (such as arguments) opened. */
function runtimeChildren(node: SyntaxNode): readonly SyntaxNode[] {
  // `value as Type` and its like: only the value exists at run time.
  if (node.type.startsWith('Ts')) return isNode(node['expression']) ? [node['expression']] : [];
  return Object.values(node).flatMap(nodesIn);
}

function nodesIn(value: unknown): readonly SyntaxNode[] {
  if (isNode(value)) return [value];
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(nodesIn);
  return [];
}
