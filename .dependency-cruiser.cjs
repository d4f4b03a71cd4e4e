/**
 * The arrows of the architecture: functions -> core <- infra. `npm run check` fails on a wrong one,
 * and tests/infra/build/boundaries.test.ts feeds every rule an import it must refuse.
 *
 * With TypeScript 7 there is no compiler for this tool to use, so it parses with swc; without that
 * package it would see no modules and pass. The check therefore also asserts how many it saw.
 */

const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

module.exports = {
  forbidden: [
    rule('no-cycles', 'Modules that need each other are one module.', {}, { circular: true }),
    rule('resolvable', 'An import must lead somewhere.', {}, { couldNotResolve: true }),
    rule(
      'core-depends-on-nobody',
      'The product is plain TypeScript: no host, no platform, no input or output.',
      { path: '^core/' },
      { pathNot: ['^core/', '^crypto$', '(^|/)node_modules/(typebox|ajv|ajv-formats)/'] },
    ),
    rule(
      'hashing-in-execution-only',
      'Of the platform, use cases may compute a hash; the pure rooms need nothing.',
      { path: '^core/', pathNot: '^core/execution/' },
      { path: '^crypto$' },
    ),
    rule(
      'schemas-at-the-edge-of-core',
      'Documents are parsed in core/cacao and core/config; elsewhere they are known to be well-formed.',
      { path: '^core/', pathNot: '^core/(cacao|config)/' },
      { path: '(^|/)node_modules/' },
    ),
    rule(
      'cacao-stands-alone',
      'The playbook language knows errors, and nothing of running playbooks.',
      { path: '^core/cacao/' },
      { path: '^core/', pathNot: '^core/(cacao/|errors/|json\\.ts$)' },
    ),
    rule(
      'errors-stand-alone',
      'Everything may refuse, so the catalogue may need nothing.',
      { path: '^core/errors/' },
      { path: '^core/', pathNot: '^core/(errors/|json\\.ts$)' },
    ),
    rule(
      'engine-does-not-know-execution',
      'The interpreter is pure; who drives it and what is recorded is not its business.',
      { path: '^core/engine/' },
      { path: '^core/', pathNot: '^core/(engine|cacao|errors|json\\.ts$)' },
    ),
    rule(
      'only-composition-chooses-adapters',
      'Functions see ports; the composition alone decides what stands behind them.',
      { path: '^functions/', pathNot: '^functions/composition[./]' },
      { path: '^infra/' },
    ),
    rule(
      'infra-does-not-call-functions',
      'Adapters are called; they do not call. The tools that read the route table are no adapters.',
      { path: '^infra/', pathNot: '^infra/build/' },
      { path: '^functions/' },
    ),
    rule(
      'nobody-knows-the-embedded-host',
      'The app must run on any Functions host.',
      { path: '^(core|functions|infra|examples)/', pathNot: '^infra/local/' },
      { path: '^infra/local/' },
    ),
    rule(
      'orchestrators-are-pure',
      'Orchestrator code is replayed: besides types it may use the SDK and the pure rooms of core.',
      { path: '^functions/orchestrators/' },
      {
        pathNot: [
          '^functions/orchestrators/',
          '^core/(engine|cacao)/',
          '(^|/)node_modules/durable-functions/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'product-without-tests',
      'What ships needs nothing from tests or examples.',
      { path: '^(core|functions|infra)/' },
      { path: '^(tests|examples)/' },
    ),
    rule(
      'product-without-tools',
      'What ships needs nothing that is only installed for development.',
      { path: '^(core|functions|infra)/', pathNot: '^infra/build/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg'], dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    parser: 'swc',
    // Sees type-only imports too: they are arrows as well.
    tsPreCompilationDeps: true,
    doNotFollow: { path: '(^|/)node_modules/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};
