/** Measures an archive of a user with many messages and files: the time it takes, and the memory of files and chat. */
import { randomUUID } from 'node:crypto';
import { Headless, signUpByPhone } from '@nolo/testing';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { printTable, readResidentBytes, printLine } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';

const messages = Number(process.argv[2] ?? 50_000);
const megabytes = Number(process.argv[3] ?? 2_000);
const fileBytes = 20_000_000;
const mebibyte = 1024 * 1024;
/** Maximum memory of an archive that is built from streams. */
const maxMebibytes = 200;

async function measure(stack: LoadStack): Promise<void> {
  // An export needs a fresh proof, so the user has just signed in.
  const one = await signUpByPhone(stack.url);
  const [other] = await createLoadPeople(stack, 1);
  if (!other) throw new Error('The service is unavailable.');
  const token = one.api.token ?? '';
  const caller = new Headless(stack.url, token);
  const lifted = await stack.liftLimits([one.id]);
  const { body: conversation } = await caller.call('POST', '/api/conversations', { otherUserId: other.id });
  const made = conversation as { id: string };
  printLine(`${messages} messages`);
  const chat = stack.database('chat');
  await chat.raw(
    `insert into messages (conversation_id, seq, id, sender_id, client_message_id, change_seq, content, encryption,
       message_type, created_at)
     select ?, n, gen_random_uuid(), ?, gen_random_uuid(), n, repeat('words ', 40), 'none', 'text', now()
     from generate_series(1, ?::int) as n`,
    [made.id, one.id, messages],
  );
  await chat('conversations').where({ id: made.id }).update({ last_seq: messages, last_change_seq: messages });
  printLine(`${megabytes} MB of files`);
  const bytes = new Uint8Array(fileBytes).fill(120);
  for (let at = 0; at < Math.ceil((megabytes * 1_000_000) / fileBytes); at += 1) {
    const body = new FormData();
    body.set('file', new Blob([bytes]), `${randomUUID()}.bin`);
    const reply = await fetch(new URL('/api/upload-media', stack.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    });
    if (!reply.ok) throw new Error(`A file upload was answered with ${reply.status}.`);
  }

  const pids = { files: stack.pid('files'), chat: stack.pid('chat') };
  const before = { files: readResidentBytes(pids.files), chat: readResidentBytes(pids.chat) };
  const peak = { ...before };
  const timer = setInterval(() => {
    for (const name of ['files', 'chat'] as const) peak[name] = Math.max(peak[name], readResidentBytes(pids[name]));
  }, 100);
  const began = performance.now();
  let archive: { state: string; size: number };
  try {
    await caller.call('POST', '/api/account/export', {});
    do {
      await new Promise((resolve) => setTimeout(resolve, 200));
      archive = (await caller.call('GET', '/api/account/export')).body as typeof archive;
    } while (archive.state === 'running');
  } finally {
    clearInterval(timer);
  }
  const seconds = (performance.now() - began) / 1_000;
  await lifted();
  if (archive.state !== 'ready') throw new Error(`The archive is in state ${archive.state}.`);
  const grown = (name: 'files' | 'chat') => (peak[name] - before[name]) / mebibyte;
  printTable(
    ['', 'before, MiB', 'peak, MiB', 'more, MiB'],
    (['files', 'chat'] as const).map((name) => [
      name,
      Math.round(before[name] / mebibyte),
      Math.round(peak[name] / mebibyte),
      Math.round(grown(name)),
    ]),
  );
  printLine(`${(archive.size / 1_000_000).toFixed(1)} MB in ${seconds.toFixed(1)} s`);
  if (grown('files') > maxMebibytes) throw new Error('files needed more memory than streaming requires.');
}

await measureOnStack('Archive of an account', measure);
