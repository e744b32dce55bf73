import { routes, type Participant } from '@nolo/api';
import { Crown, Ellipsis, Hand, Mic, MicOff, Pin, PinOff, UserX, VideoOff } from 'lucide-react';
import { useState, useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useStore } from 'zustand';
import { useInfiniteQuery } from '@tanstack/react-query';
import { isHosting, raisedHands, trackKey } from '@nolo/client/rooms/roomState';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuItem, MenuSeparator } from '../../ui/DropdownMenu.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { pagesQuery } from '../../api/usePages.ts';
import { nameWithRole, personName, useRoomState, useRoomSession } from './roomContext.ts';
import { useHostActions } from './useHostActions.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

export interface PeoplePanelProps {
  pinned: string | null;
  onPin: (key: string | null) => void;
}

export function PeoplePanel({ pinned, onPin }: PeoplePanelProps) {
  const { t } = useTexts(meetingTexts);
  const session = useRoomSession();
  const waiting = useRoomState((state) => state.lobby);
  // A person is admitted on all waiting devices.
  const lobby = [...new Map(waiting.map((one) => [one.userId, one])).values()];
  const people = useStore(
    session.store,
    useShallow(({ order, participants }) => {
      const hands = raisedHands({ participants });
      const others = order.flatMap((id) => participants[id] ?? []).filter((one) => !one.isHandRaised);
      return [...hands, ...others];
    }),
  );
  const { moderate } = useHostActions();
  const hosting = useRoomState((state) => isHosting(state.participants[state.selfId ?? '']));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto pb-[env(safe-area-inset-bottom)]">
      {lobby.length > 0 && (
        <section aria-labelledby="lobby-title" className="border-b border-line py-3" data-testid="lobby">
          <div className="flex items-center justify-between gap-2 px-4 pb-1">
            <h3 id="lobby-title" className="text-13 font-semibold text-muted">
              {t('meeting:people.inLobby')}
            </h3>
            {lobby.length > 1 && (
              <Button size="small" kind="quiet" onClick={() => void moderate('admit')}>
                {t('meeting:people.admitAll')}
              </Button>
            )}
          </div>
          <ul>
            {lobby.map((one) => (
              <li key={one.id} className="flex min-h-14 items-center gap-3 px-4 py-1.5">
                <Avatar name={one.name} imageUrl={one.profileImageUrl} size={40} />
                {/* A long name has its own line, so that the name of an admitted person is never cut off. */}
                <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">
                  <span
                    dir="auto"
                    className="line-clamp-2 min-w-0 grow text-ui-start text-14 font-medium wrap-anywhere"
                  >
                    {nameWithRole(one, t)}
                  </span>
                  <span className="ms-auto flex gap-2">
                    <Button
                      size="small"
                      kind="secondary"
                      aria-label={t('meeting:people.denyNamed', { name: personName(one, t) })}
                      onClick={() => void moderate('deny', one.userId)}
                    >
                      {t('meeting:people.deny')}
                    </Button>
                    <Button
                      size="small"
                      aria-label={t('meeting:people.admitNamed', { name: personName(one, t) })}
                      onClick={() => void moderate('admit', one.userId)}
                    >
                      {t('meeting:people.admit')}
                    </Button>
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="inside-title" className="py-3">
        <h3 id="inside-title" className="px-4 pb-1 text-13 font-semibold text-muted">
          {t('meeting:people.inMeeting')}
        </h3>
        <ul data-testid="people">
          {people.map((one) => (
            <ParticipantRow key={one.id} person={one} pinned={pinned} onPin={onPin} />
          ))}
        </ul>
      </section>
      {hosting && <RemovedPeople />}
    </div>
  );
}

function ParticipantRow({ person, pinned, onPin }: PeoplePanelProps & { person: Participant }) {
  const { t } = useTexts(meetingTexts);
  const selfId = useRoomState((state) => state.selfId);
  const self = useRoomState((state) => state.participants[state.selfId ?? '']);
  const { moderate } = useHostActions();
  const [removing, setRemoving] = useState(false);
  const { id, userId, name, role } = person;
  const isSelf = id === selfId;
  const key = trackKey(id, 'camera');
  const isHost = self?.role === 'host';
  // Co-hosts moderate participants, and the host moderates everyone. Nobody moderates the host.
  const mayDecide = !isSelf && role !== 'host' && (isHost || (isHosting(self) && !isHosting(person)));
  const shown = nameWithRole(person, t);
  return (
    <li className="flex min-h-14 items-center gap-3 ps-4 pe-2">
      <Avatar name={name} imageUrl={person.profileImageUrl} size={40} />
      <span dir="auto" className="line-clamp-2 min-w-0 flex-1 text-ui-start text-14 font-medium wrap-anywhere">
        {isSelf ? t('meeting:room.you', { name: shown }) : shown}
      </span>
      {person.isHandRaised && (
        <span role="img" aria-label={t('meeting:room.handRaised')} className="text-warning-text [&_svg]:size-[18px]">
          <Hand />
        </span>
      )}
      {person.isMuted && (
        <span role="img" aria-label={t('meeting:room.isMuted')} className="text-muted [&_svg]:size-[18px]">
          <MicOff />
        </span>
      )}
      <DropdownMenu trigger={<PlainIconButton label={t('meeting:people.actions', { name })} icon={<Ellipsis />} />}>
        <MenuItem icon={pinned === key ? <PinOff /> : <Pin />} onSelect={() => onPin(pinned === key ? null : key)}>
          {t(pinned === key ? 'meeting:room.unpin' : 'meeting:room.pin', { name })}
        </MenuItem>
        {mayDecide && (
          <>
            <MenuSeparator />
            <MenuItem
              icon={person.isMuted ? <Mic /> : <MicOff />}
              onSelect={() => void moderate(person.isMuted ? 'ask_to_unmute' : 'mute', userId)}
            >
              {t(person.isMuted ? 'meeting:people.askToUnmute' : 'meeting:people.mute')}
            </MenuItem>
            {person.hasVideo && (
              <MenuItem icon={<VideoOff />} onSelect={() => void moderate('stop_video', userId)}>
                {t('meeting:people.stopVideo')}
              </MenuItem>
            )}
            {person.isHandRaised && (
              <MenuItem icon={<Hand />} onSelect={() => void moderate('lower_hand', userId)}>
                {t('meeting:people.lowerHand')}
              </MenuItem>
            )}
            {isHost && role !== 'guest' && (
              <MenuItem
                icon={<Crown />}
                onSelect={() => void moderate(role === 'co_host' ? 'make_participant' : 'make_co_host', userId)}
              >
                {t(role === 'co_host' ? 'meeting:people.makeParticipant' : 'meeting:people.makeCoHost')}
              </MenuItem>
            )}
            <MenuItem danger icon={<UserX />} onSelect={() => setRemoving(true)}>
              {t('meeting:people.remove')}
            </MenuItem>
          </>
        )}
      </DropdownMenu>
      <ConfirmDialog
        open={removing}
        onCancel={() => setRemoving(false)}
        title={t('meeting:people.removeTitle', { name: personName(person, t) })}
        text={t('meeting:people.removeText')}
        confirmLabel={t('meeting:people.remove')}
        onConfirm={async () => {
          if (await moderate('remove', userId)) setRemoving(false);
        }}
      />
    </li>
  );
}

/** Milliseconds between polls, because removing or readmitting a person outside the meeting sends no event. */
const pollMs = 10_000;

function RemovedPeople() {
  const { t } = useTexts(meetingTexts);
  const session = useRoomSession();
  const roomCode = useRoomState((state) => state.meeting?.roomCode) ?? session.roomCode;
  const { moderate, running } = useHostActions();
  const inside = useRoomState((state) => state.order.length);
  const query = { queryKey: ['meetings', 'removed', roomCode], params: { roomCode }, pollMs };
  const { data, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    ...pagesQuery(routes.listRemoved, query),
    gcTime: 0,
  });
  useEffect(() => {
    // A participant left, possibly because they were removed.
    void refetch();
  }, [inside, refetch]);
  const removed = data?.pages.flatMap(({ items }) => items) ?? [];
  if (removed.length === 0) return null;

  return (
    <section aria-labelledby="removed-title" className="border-t border-line py-3">
      <h3 id="removed-title" className="px-4 pb-1 text-13 font-semibold text-muted">
        {t('meeting:people.removed')}
      </h3>
      <ul>
        {removed.map(({ userId, user }) => {
          const name = user?.displayName ?? t('chats.deletedAccount');
          return (
            <li key={userId} className="flex min-h-14 items-center gap-3 px-4">
              <Avatar name={name} imageUrl={user?.profileImageUrl} size={40} />
              <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-14 font-medium">
                {name}
              </span>
              <Button
                size="small"
                kind="secondary"
                busy={running === userId}
                aria-label={t('meeting:people.readmitNamed', { name })}
                onClick={() => void moderate('readmit', userId, refetch)}
              >
                {t('meeting:people.readmit')}
              </Button>
            </li>
          );
        })}
      </ul>
      {hasNextPage && (
        <div className="flex justify-center pt-1">
          <Button kind="quiet" size="small" busy={isFetching} onClick={() => void fetchNextPage()}>
            {t('meeting:people.removedMore')}
          </Button>
        </div>
      )}
    </section>
  );
}
