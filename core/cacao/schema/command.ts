/**
 * Commands (CACAO 2.0, section 5). One shape holds the properties of all command types, because the agent,
 * not the command's type, decides which capability reads them.
 */

import { type Static, type TSchema, Type } from 'typebox';
import { externalReferences, mapOf, text } from './primitives.ts';

/** Header values: a list, as the standard says, or a single text. */
const headers = mapOf(
  Type.Unsafe<string[] | string>({
    type: ['array', 'string'],
    items: { type: 'string' } satisfies TSchema,
  }),
);

export const command = Type.Object({
  type: Type.String({ description: 'Open vocabulary of command types.' }),
  description: Type.Optional(text),
  version: Type.Optional(text),
  playbook_activity: Type.Optional(text),
  external_references: Type.Optional(externalReferences),
  command: Type.Optional(
    Type.String({ description: 'The command text; for http-api METHOD PATH VERSION.' }),
  ),
  command_b64: Type.Optional(
    Type.String({
      contentEncoding: 'base64',
      description: 'Wins over command when both are given.',
    }),
  ),
  headers: Type.Optional(headers),
  content: Type.Optional(text),
  content_b64: Type.Optional(Type.String({ contentEncoding: 'base64' })),
  port: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
});

type CommandProperty = keyof Static<typeof command>;

type CommandType = {
  /** At least one of these must be filled for the command to do anything. */
  readonly needs: readonly CommandProperty[];
  /** Capabilities able to carry it out; empty when only an extension could. */
  readonly capabilities: readonly string[];
};

const script: readonly CommandProperty[] = ['command', 'command_b64'];

/** The known command types; any other is accepted with a warning. */
export const commandTypes: { readonly [type: string]: CommandType } = {
  manual: { needs: script, capabilities: ['manual'] },
  bash: { needs: script, capabilities: ['ssh'] },
  ssh: { needs: script, capabilities: ['ssh'] },
  powershell: { needs: script, capabilities: ['powershell'] },
  'http-api': { needs: ['command'], capabilities: ['http-api', 'openc2-http'] },
  'openc2-http': { needs: ['command'], capabilities: ['openc2-http', 'http-api'] },
  openc2: { needs: ['command'], capabilities: ['openc2-http', 'http-api'] },
  'caldera-cmd': { needs: script, capabilities: ['caldera-cmd'] },
  caldera: { needs: script, capabilities: ['caldera-cmd'] },
  'attack-cmd': { needs: script, capabilities: ['caldera-cmd'] },
  elastic: { needs: script, capabilities: [] },
  jupyter: { needs: script, capabilities: [] },
  kestrel: { needs: script, capabilities: [] },
  sigma: { needs: script, capabilities: [] },
  yara: { needs: script, capabilities: [] },
};
