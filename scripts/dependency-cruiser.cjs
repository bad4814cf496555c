/** The dependency rules of the design, each with the reason it exists. */
const service = 'spaces|runs|orchestration|skills-scanner|runner';
const test = '(\\.test|\\.child)\\.tsx?$|/test-|/doubles/';

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    forbid(
      'no-cycle',
      'A cycle has no layers.',
      { pathNot: 'node_modules' },
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid(
      'unresolved',
      'An import that leads nowhere.',
      { pathNot: test },
      { couldNotResolve: true, pathNot: '^bun(:|$)|\\.gen\\.ts$' },
    ),
    forbid(
      'assembly-imports-nothing',
      'The kernels have no imports but each other.',
      { path: '^core-wasm/assembly/' },
      { pathNot: '^core-wasm/assembly/' },
    ),
    forbid(
      'core-imports-zod-only',
      'The core runs everywhere, so it stands on zod alone.',
      { path: '^core-wasm/', pathNot: `^core-wasm/assembly/|^core-wasm/reference/|${test}` },
      { pathNot: '^core-wasm/|node_modules/zod/' },
    ),
    forbid(
      'services-not-across',
      'A service knows another only by the types of its routes.',
      { path: `^services/(${service})/`, pathNot: test },
      { path: `^services/(${service})/`, pathNot: '^services/$1/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'kit-knows-no-service',
      'The kit is plumbing without a domain word.',
      { path: '^services/kit/' },
      { path: '^services/(?!kit/)|^core-wasm/|^web/|^scripts/|^test/' },
    ),
    forbid(
      'schema-is-the-bottom',
      'A schema imports no other layer of its service.',
      { path: '^services/[^/]+/.*schema\\.ts$' },
      { path: '(store|routes|service)\\.ts$' },
    ),
    forbid(
      'domain-below-store-and-routes',
      'Stores and routes know the domain, not the other way.',
      { path: '^services/[^/]+/([^/]+)/\\1\\.ts$' },
      { path: '^services/.*/(store|routes|service)\\.ts$' },
    ),
    forbid(
      'store-below-routes',
      'A store answers to no route.',
      { path: 'store\\.ts$' },
      { path: '(routes|service)\\.ts$' },
    ),
    forbid(
      'drizzle-at-the-bottom',
      'Only schemas, stores and the kit touch the database.',
      {
        path: '^(services|scripts|web)/',
        pathNot: `schema\\.ts$|store\\.ts$|^services/kit/database/|^services/main\\.ts$|${test}`,
      },
      { path: 'node_modules/drizzle-orm/' },
    ),
    forbid(
      'libsql-in-kit-only',
      'libSQL loses acknowledged writes when used without the kit.',
      { path: '^(services|scripts|web|test)/', pathNot: '^services/kit/database/|^test/bench/' },
      { path: 'node_modules/@libsql/' },
    ),
    forbid(
      'adapters-at-their-edge',
      'The provider, the protocol of tools and the shell grammar are each known in one folder.',
      {
        path: '^(services|scripts|web)/',
        pathNot: `^services/spaces/reviews/github/|^services/runs/mcp/|^services/runs/guard/shell/|${test}`,
      },
      { path: 'node_modules/(@octokit|@modelcontextprotocol|web-tree-sitter|tree-sitter-bash)/' },
    ),
    forbid(
      'hono-in-routes',
      'Domain code knows no HTTP.',
      {
        path: '^services/',
        pathNot: `routes\\.ts$|/service\\.ts$|/peers\\.ts$|^services/kit/|^services/main\\.ts$|${test}`,
      },
      { path: 'node_modules/hono/' },
    ),
    forbid(
      'product-without-tests',
      'What ships does not import tests; the demo and benchmarks may use the scripted model.',
      { path: '^(services|core-wasm|web)/', pathNot: test },
      { path: '^test/' },
    ),
    forbid(
      'web-only-types-of-services',
      'The browser takes code from the core only.',
      { path: '^web/', pathNot: test },
      { path: '^services/', dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules/(bun-types|@types)|\\.wasm$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'services/tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
