/** /swagger: the interactive API browser over the generated document. */

import { Type } from 'typebox';
import { Refusal } from '../../../core/errors/refusal.ts';
import { openApiDocument } from '../openapi.ts';
import type { Answer, Call, Route } from '../route.ts';

const indexPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Theobroma API</title>
    <link rel="stylesheet" href="swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="swagger-ui-standalone-preset.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`;

/** A file of its own, so that a content security policy need not allow inline scripts. */
const startScript = `window.ui = SwaggerUIBundle({
  url: 'doc.json',
  dom_id: '#swagger-ui',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
});
`;

const contentTypes: { readonly [ending: string]: string } = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

const tag = 'swagger';

export const swaggerRoutes: readonly Route[] = [
  {
    name: 'swagger',
    method: 'GET',
    path: 'swagger',
    needs: 'playbook:read',
    tag,
    summary: 'Leads to the API browser',
    answers: { 302: { description: 'To /swagger/index.html' } },
    handle: async () => ({ status: 302, headers: { location: '/swagger/index.html' } }),
  },
  {
    name: 'swagger-file',
    method: 'GET',
    path: 'swagger/{file}',
    needs: 'playbook:read',
    tag,
    summary: 'The API browser (index.html) and this document (doc.json)',
    parameters: [
      { in: 'path', name: 'file', description: 'index.html, doc.json, …', schema: Type.String() },
    ],
    answers: { 200: { description: 'The file', contentType: '*/*' } },
    refusals: ['path-unknown'],
    handle: swaggerFile,
  },
];

async function swaggerFile({ composition, routes, param }: Call): Promise<Answer> {
  const file = param('file');
  if (file === 'doc.json') {
    return { status: 200, body: openApiDocument(routes, composition.service.version) };
  }
  const content = own.get(file) ?? (await composition.staticFile(file));
  if (content === undefined) throw new Refusal('path-unknown', `/swagger/${file}`);
  const type = contentTypes[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return { status: 200, headers: { 'content-type': type }, text: content };
}

const own: ReadonlyMap<string, string> = new Map([
  ['index.html', indexPage],
  ['start.js', startScript],
]);
