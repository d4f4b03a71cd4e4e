/** The output of a benchmark run: what docs/performance.md shows. */

import { type Figure, missesTarget } from './figure.ts';
import type { Machine } from './machine.ts';

export function machineLines(machine: Machine): readonly string[] {
  return [
    `Machine: ${machine.cores} x ${machine.cpu}, ${machine.memoryGb} GB, ${machine.system}`,
    `Versions: Node ${machine.node}, SQLite ${machine.sqlite}`,
    `Measured ${machine.measuredAt}; load average before: ${machine.loadBefore}`,
  ];
}

export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, value, unit, target, note = '' } = figure;
    const verdict = missesTarget(figure) ? 'missed' : 'met';
    const aim = target === undefined ? '' : `${target} ${unit}: ${verdict}`;
    return [what, `${shown(value)} ${unit}`, aim, note];
  });
  const head = ['what', 'value', 'at most', 'note'];
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function shown(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
}
