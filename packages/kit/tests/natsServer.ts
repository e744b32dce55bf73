import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '@nolo/testing';
import { findNats } from '../../../scripts/backing/nats.ts';
import { findFreePort } from '../../../scripts/ports.ts';

/** NATS server of the test's own, which can be killed and started again on the same port. */
export interface NatsServer {
  url: string;
  /** Kills the server with kill -9. */
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    setTimeout(() => socket.destroy(), 500);
  });
}

export async function startNatsServer(): Promise<NatsServer> {
  const found = findNats();
  if (!found) throw new Error('nats-server is not installed on this machine. Run this test with npm test.');
  const port = await findFreePort();
  let child: ChildProcess | undefined;

  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  const start = async () => {
    child = spawn(found.command, ['-a', '127.0.0.1', '-p', String(port)], {
      stdio: 'ignore',
      env: { ...process.env, ...found.env },
    });
    await eventually(() => answers(port));
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    kill,
    start,
    remove: kill,
  };
}
