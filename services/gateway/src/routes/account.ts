import { once } from 'node:events';
import { routes } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import { askerMark, createBrowserMarks } from '../http/browserMarks.ts';
import { toMessage, toSettings } from './mapChat.ts';
import { isoTime } from './mapPeople.ts';
import { toSocialPost } from './mapSocial.ts';
import { toStatusState } from './mapStatus.ts';

/** Tells the browser to drop what it kept for this site: local data and cached answers (decision 2). */
export const clearSiteData = '"cache", "storage"';

export function bindAccount(bind: Bind, edge: Edge): void {
  const { identity, chat, marks, status, social, billing, transcriber } = edge;

  /** What is told page by page, row by row. */
  const paged = async function* <Row>(
    page: (cursor: string | undefined) => Promise<{ rows: Row[]; nextCursor: string | undefined }>,
  ) {
    let cursor: string | undefined;
    do {
      const { rows, nextCursor } = await page(cursor);
      yield* rows;
      cursor = nextCursor;
    } while (cursor !== undefined);
  };

  /** What the services keep of an account, in the order in which the file has it. */
  const kept = (
    actorId: string,
    rpc: RpcCallOptions,
    signal: AbortSignal,
  ): Record<string, () => AsyncIterable<object>> => {
    const conversations = (type?: string) =>
      paged(async (cursor) => {
        const page = await chat.listConversations({ actorId, cursor, limit: 100, type }, rpc);
        return { rows: page.conversations, nextCursor: page.nextCursor };
      });
    const stars = paged(async (cursor) => {
      const page = await marks.listStarred({ actorId, cursor }, rpc);
      return { rows: page.starred, nextCursor: page.nextCursor };
    });
    return {
      async *messages() {
        for await (const message of chat.exportMessages({ actorId }, { ...rpc, signal })) yield toMessage(message);
      },
      async *groups() {
        for await (const { id, meta, myRole, createdAt } of conversations('group')) {
          const described = { name: meta?.name ?? '', description: meta?.description ?? '' };
          yield { id, ...described, role: myRole, createdAt: isoTime(createdAt) };
        }
      },
      /** How the person set them up, and the timer that holds for all in it. */
      async *conversations() {
        for await (const { id, type, meta, mySettings } of conversations()) {
          yield { id, type, ...toSettings(mySettings), disappearingSeconds: meta?.disappearingSeconds || null };
        }
      },
      async *starred() {
        for await (const { message, starredAt } of stars) {
          if (!message) continue;
          const { id: messageId, conversationId } = message;
          yield { conversationId, messageId, starredAt: isoTime(starredAt) };
        }
      },
      /** Those that are there; of the others nothing is kept. */
      async *statusUpdates() {
        for await (const row of status.exportStatuses({ actorId }, { ...rpc, signal })) {
          yield { ...toStatusState(row), viewCount: row.viewCount, audience: row.audienceMode };
        }
      },
      /** Whom new ones are for. */
      async *statusAudience() {
        const { mode, userIds } = await status.getStatusAudience({ actorId }, rpc);
        if (mode !== 'contacts') yield { mode, userIds };
      },
      /** Accounts at social platforms, without what opens them. */
      async *socialAccounts() {
        const { platforms } = (await social?.listPlatforms({ actorId }, rpc)) ?? { platforms: [] };
        for (const { id: platform, connections } of platforms) {
          for (const { name } of connections) yield { platform, name };
        }
      },
      async *socialPosts() {
        if (!social) return;
        for await (const row of social.exportPosts({ actorId }, { ...rpc, signal })) yield toSocialPost(row);
      },
      /** Plans, orders and what was paid. */
      async *billing() {
        if (!billing) return;
        for await (const { kind, json } of billing.plans.exportBilling({ actorId }, { ...rpc, signal })) {
          yield { kind, ...(JSON.parse(json) as object) };
        }
      },
      /** The seconds that count against the plan; of what was said nothing is kept. */
      async *transcription() {
        const { month, usedSeconds } = (await transcriber?.getUsage({ actorId }, rpc)) ?? { month: '', usedSeconds: 0 };
        if (usedSeconds > 0) yield { month, usedSeconds };
      },
    };
  };

  bind(routes.exportAccount, async ({ actor, rpc, response }) => {
    const account = await identity.exportAccount({ actorId: actor.userId, sessionId: actor.sessionId }, rpc);
    const abort = new AbortController();
    response.once('close', () => abort.abort());

    // Someone's messages may be many, so they pass through one by one. A failure in the middle breaks the connection off,
    // and the browser shows that the file is not whole; what fails before anything is there is answered as ever.
    let started = false;
    const write = async (text: string) => {
      // The account is JSON already; parsing it makes sure that the whole is.
      const before = started ? '' : `{"account":${JSON.stringify(JSON.parse(account.json))}`;
      if (!started) {
        response.setHeader('Content-Type', 'application/json; charset=utf-8');
        response.setHeader('Content-Disposition', 'attachment; filename="nolo-export.json"');
      }
      started = true;
      if (!response.write(before + text)) await once(response, 'drain', { signal: abort.signal });
    };
    for (const [name, rows] of Object.entries(kept(actor.userId, rpc, abort.signal))) {
      let before = `,"${name}":[\n`;
      for await (const row of rows()) {
        await write(before + JSON.stringify(row));
        before = ',\n';
      }
      await write(before === ',\n' ? '\n]' : `,"${name}":[]`);
    }
    response.end('}\n');
  });

  bind(routes.deleteAccount, async ({ actor, rpc, response }) => {
    await identity.deleteAccount({ actorId: actor.userId, sessionId: actor.sessionId }, rpc);
    edge.sessions.recheck(actor.userId);
    edge.sessions.forget(response);
    createBrowserMarks(edge, askerMark).forget(response);
    response.setHeader('Clear-Site-Data', clearSiteData);
  });
}
