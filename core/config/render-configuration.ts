/** The documentation of the configuration, rendered from its definition. */

import type { VariableGroup } from './groups.ts';
import type { Variable } from './variable.ts';

/** One markdown table per group, for the README. */
export function renderConfigurationTable(groups: readonly VariableGroup[]): string {
  return groups
    .map(({ title, variables }) =>
      [
        `**${title}**`,
        '',
        '| Variable | Default | Meaning |',
        '|---|---|---|',
        ...Object.entries(variables).map(([name, variable]) => tableRow(name, variable)),
      ].join('\n'),
    )
    .join('\n\n');
}

/** A `.env` file in which every variable stands commented out with its default. */
export function renderEnvironmentSample(groups: readonly VariableGroup[]): string {
  const head = [
    '# Copy this file to .env and remove the # before what you want to change.',
    '# Every line shows the default. The environment of the process wins over this file.',
  ];
  const body = groups.flatMap(({ title, variables }) => [
    '',
    `### ${title}`,
    ...Object.entries(variables).flatMap(([name, variable]) => sampleLines(name, variable)),
  ]);
  return `${[...head, ...body].join('\n')}\n`;
}

/** The default as it would be written, or undefined when leaving the variable out is the default. */
export function literalDefault(variable: Variable<unknown>): string | undefined {
  if (variable.default === undefined) return undefined;
  return variable.shownDefault ?? String(variable.default);
}

function tableRow(name: string, variable: Variable<unknown>): string {
  const literal = literalDefault(variable);
  const shown = literal === undefined ? (variable.shownDefault ?? 'none') : `\`${literal}\``;
  return `| \`${name}\` | ${cell(shown)} | ${cell(variable.meaning)}${choices(variable)} |`;
}

function sampleLines(name: string, variable: Variable<unknown>): readonly string[] {
  const literal = literalDefault(variable);
  const otherwise =
    literal === undefined && variable.shownDefault !== undefined
      ? ` Default: ${variable.shownDefault}.`
      : '';
  return ['', `# ${variable.meaning}${otherwise}`, `#${name}=${literal ?? ''}`];
}

// The values to choose from, unless the meaning names them already.
function choices({ kind, meaning }: Variable<unknown>): string {
  const names = kind.choices ?? [];
  return names.every((name) => meaning.includes(name)) ? '' : ` (${names.join(' / ')})`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
