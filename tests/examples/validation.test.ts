/** Every playbook under examples/ is one a person may copy: no errors, and no warning without a reason. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveCapability } from '../../core/cacao/resolve-capability.ts';
import { validatePlaybook } from '../../core/cacao/validation/validate-playbook.ts';
import { manualCapability } from '../../core/execution/capability-table.ts';
import { nativeCapabilities } from '../../infra/capabilities/native-capabilities.ts';
import { noLog } from '../support/no-log.ts';

const directory = join(import.meta.dirname, '../../examples');
const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
const read = (file: string) => JSON.parse(readFileSync(join(directory, file), 'utf8'));

const native = nativeCapabilities({
  config: {
    agentPrefixes: ['svc'],
    skipCertValidation: false,
    ssh: { hostKeyPolicy: 'strict', knownHostsFile: 'known_hosts', keys: undefined },
    caldera: undefined,
  },
  keys: undefined,
  allows: () => true,
  clock: { now: () => 0 },
  log: noLog,
}).map(({ name }) => name);
const options = {
  knownCapabilities: new Set([...native, manualCapability]),
  agentPrefixes: ['svc'],
};

/** What a document cannot know: variables of the caller, and fins that have registered. */
const allowed: { readonly [file: string]: readonly string[] } = {
  'detonate-file.json': ['no-capability', 'unknown-command'],
  'purge-message.json': ['undefined-variable', 'undefined-variable'],
};

test.each(files)('%s is valid and says what it is for', (file) => {
  const playbook = read(file);

  const { valid, findings } = validatePlaybook(playbook, options);

  expect(valid).toBe(true);
  expect(findings.map(({ rule }) => rule)).toEqual(allowed[file] ?? []);
  expect(playbook.description.length).toBeGreaterThan(40);
});

test.each(files)('%s names documentation addresses only', (file) => {
  const text = JSON.stringify(read(file));

  const hosts = [...text.matchAll(/https?:\/\/([^/":]+)/g)].map(([, host]) => host);
  const addresses = text.match(/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g) ?? [];

  expect(hosts.filter((host) => !/(^|\.)example\.com$|^127\.0\.0\.1$/.test(host ?? ''))).toEqual(
    [],
  );
  expect(
    addresses.filter((address) => !/^(203\.0\.113|198\.51\.100|192\.0\.2|127)\./.test(address)),
  ).toEqual([]);
});

describe('together the examples', () => {
  const playbooks = files.map(read);

  test('use every kind of step', () => {
    const kinds = playbooks.flatMap(({ workflow }) =>
      Object.values<{ type: string }>(workflow).map(({ type }) => type),
    );

    expect([...new Set(kinds)].toSorted()).toEqual(
      [
        'action',
        'end',
        'if-condition',
        'parallel',
        'playbook-action',
        'start',
        'switch-condition',
        'while-condition',
      ].toSorted(),
    );
  });

  test('use every capability', () => {
    const used = playbooks.flatMap(({ agent_definitions }) =>
      Object.values<{ type: string; name: string }>(agent_definitions).map((agent) =>
        resolveCapability(agent, options.knownCapabilities, options.agentPrefixes),
      ),
    );

    expect([...options.knownCapabilities].filter((name) => !used.includes(name))).toEqual([]);
  });
});
