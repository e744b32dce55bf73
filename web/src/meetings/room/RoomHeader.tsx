import { Lock, MessageSquare, SignalHigh, SignalLow, SignalMedium, Users, Square } from 'lucide-react';
import { useContext, useSyncExternalStore, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { shownQuality } from '@nolo/client/rooms/roomState';
import { classNames } from '../../ui/classNames.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { BrandLogo } from '../brand/BrandLogo.tsx';
import { ChatContext } from '../../chat/context/chatContext.ts';
import type { PanelName } from './model/roomParts.ts';
import { useRoomState, useRoomSession } from './roomContext.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Shows that a recording is running. The recorder can end it here. */
function RecordingBadge() {
  const { t } = useTexts(meetingTexts);
  const { recording } = useRoomSession();
  const runs = useRoomState((state) => state.meeting?.isRecording === true);
  const own = useStore(recording.store, (state) => state.name === 'running');
  if (!runs && !own) return null;
  const label = t(own ? 'meeting:recording.own' : 'meeting:room.recording');
  return (
    <span
      data-testid="recording"
      // The title shrinks to make room: on phones, this is a dot and, for the recorder, the stop button.
      className={classNames(
        'inline-flex min-w-0 items-center gap-1.5 rounded-full bg-danger-subtle py-0.5 text-12 font-medium text-danger-text max-sm:shrink-0',
        own ? 'ps-2.5 pe-1' : 'px-2.5',
      )}
    >
      <span aria-hidden="true" className="size-2 shrink-0 animate-pulse rounded-full bg-danger" />
      <span className="min-w-0 truncate max-sm:sr-only">{label}</span>
      {own ? (
        <Tooltip label={t('meeting:recording.stop')} side="bottom">
          <button
            type="button"
            aria-label={t('meeting:recording.stop')}
            onClick={() => void recording.stop()}
            className="tap inline-flex size-7 shrink-0 items-center justify-center rounded-full hover:bg-hover"
          >
            <Square aria-hidden="true" className="size-3.5 fill-current" />
          </button>
        </Tooltip>
      ) : (
        <span aria-hidden="true" className="-ms-1.5 h-7" />
      )}
    </span>
  );
}

/** Returns the unread messages of a conversation. Guests have no chats and none. */
function useUnreadCount(conversationId: string | null): number {
  const store = useContext(ChatContext)?.engine.store;
  return useSyncExternalStore(
    (changed) => store?.subscribe(changed) ?? (() => undefined),
    () => (conversationId === null ? 0 : (store?.getState().conversations[conversationId]?.unreadCount ?? 0)),
  );
}

const signals = { unknown: SignalMedium, good: SignalHigh, fair: SignalMedium, poor: SignalLow } as const;

interface RoomHeaderProps {
  panel: PanelName | null;
  onPanel: (panel: PanelName) => void;
  hasChat: boolean;
  conversationId: string | null;
}

/** Header with the meeting's name, the connection quality, and buttons for people and chat. */
export function RoomHeader({ panel, onPanel, hasChat, conversationId }: RoomHeaderProps) {
  const { t } = useTexts(meetingTexts);
  const name = useRoomState((state) => state.meeting?.name) ?? t('meeting:call');
  const brand = useRoomState((state) => state.meeting?.brand);
  const locked = useRoomState((state) => state.meeting?.locked === true);
  const quality = useRoomState(shownQuality);
  const count = useRoomState((state) => state.order.length);
  const waiting = useRoomState((state) => state.lobby.length);
  const unread = useUnreadCount(hasChat ? conversationId : null);
  const Signal = signals[quality];
  return (
    <header
      data-keep-clear
      className="box-content flex h-14 shrink-0 items-center gap-2 px-3 pt-[env(safe-area-inset-top)] sm:px-4"
    >
      {brand && <BrandLogo brand={brand} size="small" className="max-w-[40%] shrink-0" />}
      <h1 dir="auto" className="min-w-0 truncate text-ui-start text-16 font-semibold">
        {name}
      </h1>
      {locked && <Lock role="img" aria-label={t('meeting:over.locked.title')} className="size-4 shrink-0 text-muted" />}
      <RecordingBadge />
      <span className="flex-1" />
      <Tooltip label={t(`meeting:room.quality.${quality}`)} side="bottom">
        <span
          role="img"
          aria-label={t(`meeting:room.quality.${quality}`)}
          data-testid="quality"
          data-quality={quality}
          className={classNames(
            'inline-flex size-9 items-center justify-center rounded-full',
            quality === 'poor' ? 'text-danger-text' : quality === 'fair' ? 'text-warning-text' : 'text-muted',
          )}
        >
          <Signal className="size-5" />
        </span>
      </Tooltip>
      <HeaderButton
        label={t('meeting:room.people')}
        detail={t('meeting:room.peopleCount', { count })}
        open={panel === 'people'}
        hasBadge={waiting > 0}
        onPress={() => onPanel('people')}
        testId="open-people"
      >
        <Users />
        <span aria-hidden="true" className="tabular text-13">
          {count}
        </span>
      </HeaderButton>
      {hasChat && (
        <HeaderButton
          label={t('meeting:room.chat')}
          detail={unread > 0 ? t('meeting:room.unread', { count: unread }) : ''}
          open={panel === 'chat'}
          hasBadge={unread > 0 && panel !== 'chat'}
          onPress={() => onPanel('chat')}
          testId="open-chat"
        >
          <MessageSquare />
        </HeaderButton>
      )}
    </header>
  );
}

interface HeaderButtonProps {
  label: string;
  detail: string;
  open: boolean;
  hasBadge: boolean;
  onPress: () => void;
  testId: string;
  children: ReactNode;
}

function HeaderButton({ label, detail, open, hasBadge, onPress, testId, children }: HeaderButtonProps) {
  return (
    <button
      type="button"
      aria-label={detail === '' ? label : `${label}, ${detail}`}
      aria-expanded={open}
      data-testid={testId}
      onClick={onPress}
      className={classNames(
        'tap relative inline-flex h-9 shrink-0 items-center justify-center gap-1.5 rounded-full px-3 transition-colors duration-150 [&_svg]:size-5',
        open ? 'bg-accent text-on-accent' : 'bg-raised text-ink hover:bg-overlay',
      )}
    >
      {children}
      {hasBadge && <span aria-hidden="true" className="absolute -end-0.5 -top-0.5 size-2.5 rounded-full bg-accent" />}
    </button>
  );
}
