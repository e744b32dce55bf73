import type { Message } from '@nolo/api';
import type { RefreshRetry } from './refreshRetry.ts';
import type { ChatCore } from './chatCore.ts';
import { withReceivedMessage, withTimeline } from './chatStore.ts';
import type { ConversationRowLoader } from './conversationRowLoader.ts';
import { withSettings } from './hiding.ts';
import { withMember, withMeta } from './rowChanges.ts';

/** Maximum pages of missed changes. A device that missed more restarts from the newest messages. */
const maxCatchUpPages = 4;

export type CatchUp = ReturnType<typeof createCatchUp>;

/** Fetches the changes that loaded timelines lack, per conversation. */
export function createCatchUp(
  { api, patch, row, store }: ChatCore,
  {
    retry,
    rows,
    learn,
    loadNewest,
  }: {
    retry: RefreshRetry;
    rows: ConversationRowLoader;
    learn(messages: readonly Message[]): void;
    loadNewest(id: string): Promise<void>;
  },
) {
  const catchingUp = new Map<string, Promise<void>>();
  const timelineOf = (id: string) => store.getState().timelines[id];

  /** Fetches all changes after the timeline's last one. Runs once at a time per conversation. */
  const catchUp = (id: string): Promise<void> => {
    const running = catchingUp.get(id);
    if (running) return running;
    let succeeded = true;
    const task = (async () => {
      for (let page = 0; page < maxCatchUpPages; page++) {
        const timeline = timelineOf(id);
        if (timeline?.status !== 'ready') return;
        const { changes, changeSeq, hasMore, settings } = await api.listChanges(id, timeline.changeSeq);
        learn(changes.flatMap((change) => (change.type === 'message' ? [change.message] : [])));
        for (const change of changes) {
          if (change.type === 'message') store.setState(withReceivedMessage(store.getState(), change.message).change);
          else if (change.type === 'member') patch((state) => withMember(state, id, change.member));
          else patch((state) => withMeta(state, id, change.changeSeq, change.conversation));
        }
        patch((state) => withSettings(state, id, settings));
        rows.askForLast(id);
        // Changes do not include a group's member count. The row has it.
        if (row(id)?.type === 'group' && changes.some((change) => change.type === 'member')) void rows.loadRow(id);
        const covered = changes.every((change) => change.type !== 'message' || isShown(id, change.message));
        patch((state) =>
          withTimeline(state, id, (current) => ({ ...current, changeSeq: Math.max(current.changeSeq, changeSeq) })),
        );
        // Changes arrive in order of changeSeq, so an edited old message may precede the new ones that close the gap.
        // If a gap remains, the newest page replaces the run.
        if (!covered) return loadNewest(id);
        if (!hasMore) return;
      }
      // The newest page is cheaper after so many missed changes.
      await loadNewest(id);
    })()
      .catch((error: unknown) => {
        succeeded = false;
        if (rows.isGone(error)) rows.forget(id);
        else retry.later(error);
      })
      .finally(() => {
        catchingUp.delete(id);
        // Frames that arrived during the request may be newer than its response.
        if (succeeded && isBehind(id)) void catchUp(id);
      });
    catchingUp.set(id, task);
    return task;
  };

  /** Returns true if the row has changes that its loaded timeline lacks. */
  const isBehind = (id: string): boolean => {
    const timeline = timelineOf(id);
    return timeline?.status === 'ready' && (row(id)?.changeSeq ?? 0) > timeline.changeSeq;
  };

  const isShown = (id: string, message: Message): boolean => message.seq <= (timelineOf(id)?.messages.at(-1)?.seq ?? 0);

  return { catchUp, isBehind };
}
