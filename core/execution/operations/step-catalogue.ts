/** Example steps for the native capabilities; ids are fixed so that clients may refer to them. */

import type { JsonObject } from '../../json.ts';

type Example = { readonly id: string; readonly name: string; readonly command: JsonObject };

const examples: { readonly [capability: string]: Example } = {
  ssh: {
    id: 'action--5f0c2c3e-6a0b-4a55-9d6b-0a3f6f8d1c01',
    name: 'Run a command on a host',
    command: { type: 'ssh', command: 'uptime' },
  },
  'http-api': {
    id: 'action--5f0c2c3e-6a0b-4a55-9d6b-0a3f6f8d1c02',
    name: 'Call an HTTP interface',
    command: {
      type: 'http-api',
      command: 'POST /api/block HTTP/1.1',
      headers: { 'Content-Type': ['application/json'] },
      content: '{"address":"__address__:value"}',
    },
  },
  'openc2-http': {
    id: 'action--5f0c2c3e-6a0b-4a55-9d6b-0a3f6f8d1c03',
    name: 'Send an OpenC2 command',
    command: {
      type: 'openc2-http',
      command: 'POST /openc2-api HTTP/1.1',
      content: '{"action":"deny","target":{"ipv4_net":"__address__:value"}}',
    },
  },
  powershell: {
    id: 'action--5f0c2c3e-6a0b-4a55-9d6b-0a3f6f8d1c04',
    name: 'Run PowerShell on a Windows host',
    command: { type: 'powershell', command: 'Get-Process' },
  },
  manual: {
    id: 'action--5f0c2c3e-6a0b-4a55-9d6b-0a3f6f8d1c05',
    name: 'Ask an operator',
    command: { type: 'manual', command: 'Isolate the host and confirm' },
  },
  'caldera-cmd': {
    id: 'action--5f0c2c3e-6a0b-4a55-9d6b-0a3f6f8d1c06',
    name: 'Run a Caldera ability',
    command: { type: 'caldera-cmd', command: 'id: 36eecb80-ede3-442b-8774-956e906aff02' },
  },
};

export function stepCatalogue(capabilities: ReadonlySet<string>): readonly JsonObject[] {
  return Object.entries(examples)
    .filter(([capability]) => capabilities.has(capability))
    .map(([capability, { id, name, command }]) => ({
      module: `svc-${capability}`,
      category: 'action',
      context: 'internal',
      [id]: { type: 'action', name, commands: [command] },
    }));
}
