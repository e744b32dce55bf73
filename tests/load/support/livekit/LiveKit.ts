import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@nolo/testing';
import { provideGoTool, goTools } from '../../../../scripts/check/goTools.ts';
import { findFreePort } from '../../../../scripts/ports.ts';
import { runCommand } from '../../../../scripts/runCommand.ts';
import { provideNpmPackage } from '../provideNpmPackage.ts';

/** LiveKit's server on this machine, and a page that joins its rooms. */
export interface LiveKit {
  /** Returns the address of a room's pre-join page. */
  createJoinUrl(room: string, identity: string): Promise<string>;
  stop(): Promise<void>;
}

const clientVersion = '2.23.0';
const key = 'measured';
const secret = 'only-ever-on-one-machine-and-for-one-measurement';
const timeoutMs = 30_000;

/** Writes its default configuration, except for addresses: media goes over loopback, as Nolo's does. */
async function configure(folder: string): Promise<{ file: string; address: string }> {
  const [port, tcp, udp] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const file = join(folder, 'livekit.yaml');
  writeFileSync(
    file,
    JSON.stringify({
      port,
      bind_addresses: ['127.0.0.1'],
      rtc: { tcp_port: tcp, udp_port: udp, node_ip: '127.0.0.1', enable_loopback_candidate: true },
      keys: { [key]: secret },
      logging: { level: 'warn' },
    }),
  );
  return { file, address: `127.0.0.1:${port}` };
}

const pages = ['room.html', 'room.js'];

async function servePages(client: string): Promise<{ url: string; close: () => void }> {
  const files = new Map<string, [type: string, body: Buffer]>(
    pages.map((name) => [
      `/${name}`,
      [name.endsWith('.js') ? 'text/javascript' : 'text/html', readFileSync(join(import.meta.dirname, name))],
    ]),
  );
  files.set('/livekit-client.js', ['text/javascript', readFileSync(join(client, 'dist/livekit-client.umd.js'))]);
  const server = createServer((request, response) => {
    const [type, body] = files.get((request.url ?? '').split('?')[0] ?? '') ?? [];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' }).end(body);
  });
  const port = await findFreePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://localhost:${port}`, close: () => server.close() };
}

export async function startLiveKit(): Promise<LiveKit> {
  const program = await provideGoTool(goTools.livekit);
  const client = await provideNpmPackage('livekit-client', clientVersion);
  const folder = mkdtempSync(join(tmpdir(), 'nolo-livekit-'));
  const { file, address } = await configure(folder);
  const server = spawn(program, ['--config', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(server, 'exit');
  process.once('exit', () => server.kill('SIGKILL'));
  await eventually(async () => (await fetch(`http://${address}`, { signal: AbortSignal.timeout(timeoutMs) })).ok, {
    timeoutMs,
  });
  const pagesServer = await servePages(client);
  return {
    async createJoinUrl(room, identity) {
      const words = ['create-join-token', '--config', file, '--room', room, '--identity', identity];
      const { code, output } = await runCommand(program, words, { cwd: folder, env: process.env, timeoutMs });
      const token = /[\w-]+\.[\w-]+\.[\w-]+/.exec(output)?.[0];
      if (code !== 0 || token === undefined) throw new Error(`LiveKit created no token: ${output}`);
      return `${pagesServer.url}/room.html?${new URLSearchParams({ address: `ws://${address}`, token }).toString()}`;
    },
    async stop() {
      pagesServer.close();
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
