import { Suspense, type ComponentType } from 'react';
import { useStore } from 'zustand';
import type { Section } from '../session/features.ts';
import { unreadStore } from '../session/unread.ts';
import { CountBadge } from '../ui/Badge.tsx';
import { lazyOptional } from '../ui/lazyComponents.tsx';
import { createIdleQueue } from '../ui/createIdleQueue.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupTexts } from '../chat/words/groupTexts.ts';

const loadWhenIdle = createIdleQueue();
const lazyBadge = (load: () => Promise<ComponentType>) => lazyOptional(() => loadWhenIdle(load));

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
  calls: lazyBadge(async () => (await import('../calls/CallsBadge.tsx')).CallsBadge),
  meetings: lazyBadge(async () => (await import('../meetings/LiveMeetingsBadge.tsx')).LiveMeetingsBadge),
  status: lazyBadge(async () => (await import('../status/NewStatusesBadge.tsx')).NewStatusesBadge),
  schedule: lazyBadge(async () => (await import('../social/room.ts')).PostsNeedingAttentionBadge),
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
