import { once } from 'node:events';
import { routes } from '@nolo/api';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import { toMessage } from './mapChat.ts';
import { isoTime } from './mapPeople.ts';

/** Tells the browser to drop what it kept for this site: local data and cached answers (decision 2). */
export const clearSiteData = '"cache", "storage"';

export function bindAccount(bind: Bind, edge: Edge): void {
  const { identity, chat } = edge;

  bind(routes.exportAccount, async ({ actor, rpc, response }) => {
    const account = await identity.exportAccount({ actorId: actor.userId }, rpc);
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    const groups = async function* () {
      let cursor = '';
      do {
        const page = await chat.listConversations({ actorId: actor.userId, cursor, limit: 100, type: 'group' }, rpc);
        for (const { id, meta, myRole, createdAt } of page.conversations) {
          const described = { name: meta?.name ?? '', description: meta?.description ?? '' };
          yield { id, ...described, role: myRole, createdAt: isoTime(createdAt) };
        }
        cursor = page.nextCursor;
      } while (cursor !== '');
    };
    const messages = chat.exportMessages({ actorId: actor.userId }, { ...rpc, signal: abort.signal });

    // Someone's messages may be many, so they pass through one by one. A failure in the middle breaks the connection off,
    // and the browser shows that the file is not whole.
    const write = async (text: string) => {
      if (!response.write(text)) await once(response, 'drain', { signal: abort.signal });
    };
    let started = false;
    const start = async () => {
      started = true;
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.setHeader('Content-Disposition', 'attachment; filename="nolo-export.json"');
      // The account is JSON already; parsing it makes sure that the whole is.
      await write(`{"account":${JSON.stringify(JSON.parse(account.json))},"messages":[`);
    };
    for await (const message of messages) {
      const separator = started ? ',\n' : '\n';
      if (!started) await start();
      await write(separator + JSON.stringify(toMessage(message)));
    }
    if (!started) await start();
    await write('\n],"groups":[');
    let first = true;
    for await (const group of groups()) {
      await write((first ? '\n' : ',\n') + JSON.stringify(group));
      first = false;
    }
    response.end(']}\n');
  });

  bind(routes.deleteAccount, async ({ actor, rpc, response }) => {
    await identity.deleteAccount({ actorId: actor.userId }, rpc);
    edge.sessions.recheck(actor.userId);
    edge.sessions.forget(response);
    response.setHeader('Clear-Site-Data', clearSiteData);
  });
}
