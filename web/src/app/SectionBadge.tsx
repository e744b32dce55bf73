import { lazy, Suspense, type ComponentType } from 'react';
import { useStore } from 'zustand';
import type { Section } from '../session/features.ts';
import { unreadStore } from '../session/unread.ts';
import { CountBadge } from '../ui/Badge.tsx';
import { runWhenIdle } from '../ui/scheduler.ts';
import { useTexts, withTexts } from '../i18n/texts.ts';
import { groupTexts } from '../chat/words/groupTexts.ts';

/** Milliseconds after which the screen is settled, so that loading a badge does not slow it down. */
const settledMs = 3_000;

const idle = (): Promise<void> => new Promise((resolve) => void runWhenIdle(resolve));

/** Previous badge, loaded first: a browser that gets all of their files at once ignores input meanwhile. */
let before: Promise<unknown> = Promise.resolve();

/** Loads a badge later; if loading fails, it is missing until the next page load. */
function settled(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async (): Promise<{ default: ComponentType }> => {
    await new Promise((resolve) => setTimeout(resolve, settledMs));
    const loaded = before.then(idle).then(load);
    before = loaded.catch(() => undefined);
    try {
      return { default: await loaded };
    } catch {
      return { default: () => null };
    }
  });
}

/** Badge for unread conversations and requests to join groups; mentions are highlighted. */
function ChatsBadge() {
  const { t } = useTexts(groupTexts);
  const { count, mentioned, requests } = useStore(unreadStore);
  const labels = [
    ...(count > 0 ? [t('chats.unread', { count })] : []),
    ...(mentioned ? [t('chats.mentioned')] : []),
    ...(requests > 0 ? [t('group:askToJoin', { count: requests })] : []),
  ];
  return (
    <CountBadge
      count={count + requests}
      mentioned={mentioned}
      label={labels.join(', ')}
      className="h-4.5! min-w-4.5! px-1!"
    />
  );
}

const badges: Partial<Record<Section, ComponentType>> = {
  chats: ChatsBadge,
  calls: settled(async () => (await withTexts(import('../calls/CallsBadge.tsx'))).CallsBadge),
  meetings: settled(async () => (await withTexts(import('../meetings/LiveMeetingsBadge.tsx'))).LiveMeetingsBadge),
  status: settled(async () => (await withTexts(import('../status/NewStatusesBadge.tsx'))).NewStatusesBadge),
  schedule: settled(async () => (await withTexts(import('../social/room.ts'))).PostsNeedingAttentionBadge),
};

/** Badge of a section at its icon; under `id` it describes the link. */
export function SectionBadge({ section, id }: { section: Section; id: string }) {
  const Badge = badges[section];
  return (
    <span id={id} className="absolute -end-1 -top-1 flex">
      {Badge && (
        <Suspense>
          <Badge />
        </Suspense>
      )}
    </span>
  );
}
