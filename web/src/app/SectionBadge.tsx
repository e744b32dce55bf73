import type { ComponentType } from 'react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { Section } from '../session/features.ts';
import { unreadStore } from '../session/unread.ts';
import { CountBadge } from '../ui/Badge.tsx';
import { whenIdle } from '../ui/turns.ts';

/** By then the screen stands, and what is fetched for a badge takes nothing from it. */
const settledMs = 3_000;

const idle = (): Promise<void> => new Promise((resolve) => void whenIdle(resolve));

/** The one before: a browser that is told of all their files at once hears nothing that is pressed meanwhile. */
let before: Promise<unknown> = Promise.resolve();

/** A badge that asks for what it counts; without an answer there is none until the next visit. */
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

/** What waits in conversations, people who ask to join groups included; that somebody is mentioned stands out from all else that is unread. */
function ChatsBadge() {
  const { t } = useTranslation();
  const { count, mentioned, requests } = useStore(unreadStore);
  const parts = [
    ...(count > 0 ? [t('chats.unread', { count })] : []),
    ...(mentioned ? [t('chats.mentioned')] : []),
    ...(requests > 0 ? [t('group.askToJoin', { count: requests })] : []),
  ];
  return (
    <CountBadge
      count={count + requests}
      mentioned={mentioned}
      label={parts.join(', ')}
      className="h-4.5! min-w-4.5! px-1!"
    />
  );
}

const badges: Partial<Record<Section, ComponentType>> = {
  chats: ChatsBadge,
  calls: settled(async () => (await import('../calls/CallsBadge.tsx')).CallsBadge),
  meetings: settled(async () => (await import('../meetings/MeetingsBadge.tsx')).MeetingsBadge),
  status: settled(async () => (await import('../status/StatusBadge.tsx')).StatusBadge),
  schedule: settled(async () => (await import('../social/room.ts')).ScheduleBadge),
};

/** What waits in a section, at its icon; under `id` it describes the link. */
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
