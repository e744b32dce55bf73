import type { Message } from '@nolo/api';
import type { Retry } from '../../api/retry.ts';
import type { ChatCore } from './chatCore.ts';
import { withReceivedMessage, withTimeline } from './chatStore.ts';
import type { ConversationRows } from './conversationRows.ts';
import { withSettings } from './hiding.ts';
import { withMember, withMeta } from './rowChanges.ts';

/** A device that missed more than this many pages of changes starts again from the newest messages. */
const maxCatchUpPages = 4;

export type CatchUp = ReturnType<typeof createCatchUp>;

/** Asks, conversation by conversation, for the changes that a loaded timeline does not have. */
export function createCatchUp(
  { api, patch, row, store }: ChatCore,
  {
    retry,
    rows,
    learn,
    loadNewest,
  }: {
    retry: Retry;
    rows: ConversationRows;
    learn(messages: readonly Message[]): void;
    loadNewest(id: string): Promise<void>;
  },
) {
  const catchingUp = new Map<string, Promise<void>>();
  const timelineOf = (id: string) => store.getState().timelines[id];

  /** Asks for what changed after the timeline's last change, until it is complete. One at a time per conversation. */
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
        // How many a group has is said by its row alone.
        if (row(id)?.type === 'group' && changes.some((change) => change.type === 'member')) void rows.loadRow(id);
        const covered = changes.every((change) => change.type !== 'message' || isShown(id, change.message));
        patch((state) =>
          withTimeline(state, id, (current) => ({ ...current, changeSeq: Math.max(current.changeSeq, changeSeq) })),
        );
        // The changes come in the order of changeSeq, so an edited old message may stand before the new ones that close
        // the hole; where the run still has a hole, the newest page replaces it.
        if (!covered) return loadNewest(id);
        if (!hasMore) return;
      }
      // So much was missed that the newest page is the shorter way.
      await loadNewest(id);
    })()
      .catch((error: unknown) => {
        succeeded = false;
        if (rows.isGone(error)) rows.forget(id);
        else retry.later(error);
      })
      .finally(() => {
        catchingUp.delete(id);
        // Frames that came while the answer was on its way may lie beyond it.
        if (succeeded && isBehind(id)) void catchUp(id);
      });
    catchingUp.set(id, task);
    return task;
  };

  /** Whether the row knows of changes that a loaded timeline does not have. */
  const isBehind = (id: string): boolean => {
    const timeline = timelineOf(id);
    return timeline?.status === 'ready' && (row(id)?.changeSeq ?? 0) > timeline.changeSeq;
  };

  const isShown = (id: string, message: Message): boolean => message.seq <= (timelineOf(id)?.messages.at(-1)?.seq ?? 0);

  return { catchUp, isBehind };
}
