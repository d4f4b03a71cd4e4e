/** A process that answers every request at once: 200, or the number of the request for /count. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let counted = 0;
const server = createServer((request, response) => {
  request.resume();
  if (request.url === '/reset') counted = 0;
  if (request.url === '/count') counted += 1;
  response.end(request.url === '/count' ? String(counted) : '');
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
// Ends with whoever started it.
process.stdin.resume().on('end', () => process.exit(0));
