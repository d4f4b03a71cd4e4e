/** Who may call what, rendered from the route table and the app roles, for the page on security. */

import { appRoles, permissionsOf } from '../../core/access/app-roles.ts';
import { type Need, permissions } from '../../core/access/permissions.ts';
import type { Route } from '../../functions/http/route.ts';

export function renderPermissions(routes: readonly Route[]): string {
  return [...roleTable(), '', ...callTable(routes)].join('\n');
}

function roleTable(): readonly string[] {
  const rows = appRoles.map((role) => {
    const granted = permissionsOf([role]);
    return `| \`${role}\` | ${permissions.map((one) => (granted.has(one) ? 'yes' : '')).join(' | ')} |`;
  });
  const heads = permissions.map((one) => `\`${one}\``).join(' | ');
  return [`| App role | ${heads} |`, `|---|${'---|'.repeat(permissions.length)}`, ...rows];
}

const titles: readonly (readonly [need: Need, title: string])[] = [
  ['open', 'none, and no token'],
  ['any-role', 'any'],
  ...permissions.map((one) => [one, `\`${one}\``] as const),
];

function callTable(routes: readonly Route[]): readonly string[] {
  const rows = titles.flatMap(([need, title]) => {
    const calls = routes
      .filter(({ needs }) => needs === need)
      .map(({ method, path }) => `\`${method} /${path}\``);
    return calls.length === 0 ? [] : [`| ${title} | ${calls.join('<br>')} |`];
  });
  return ['| Permission | Calls |', '|---|---|', ...rows];
}
