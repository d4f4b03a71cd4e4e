import { readdir, readFile, readlink } from 'node:fs/promises';

/** The TCP addresses a process listens on, from Linux's own tables. */
export async function listeningSockets(
  pid: number,
): Promise<readonly { readonly address: string; readonly port: number }[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(
    descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
  );
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((table) => readFile(`/proc/${pid}/net/${table}`, 'utf8').catch(() => '')),
  );
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A' && inodes.has(fields[9]))
    .map((fields) => readAddress(fields[1] ?? ''));
}

function readAddress(text: string): { address: string; port: number } {
  const [host = '', port = ''] = text.split(':');
  const isVersion4 = host.length === 8;
  const bytes = Buffer.from(host, 'hex').reverse();
  return { address: isVersion4 ? bytes.join('.') : host, port: Number.parseInt(port, 16) };
}
