import { useRef, useState, useEffect, type ReactNode, type RefObject } from 'react';
import { listen } from '../../device/listen.ts';
import { useMediaQuery } from '../../shell/useMediaQuery.ts';
import type { PanelName, RoomDialogName } from './model/roomParts.ts';
import type { StageLayout } from './model/meetingStage.ts';
import { classNames } from '../../ui/classNames.ts';
import { ControlsBar } from './ControlsBar.tsx';
import { LeaveDialog, useParticipantsLeftBehind } from './LeaveDialog.tsx';
import { PeoplePanel } from './PeoplePanel.tsx';
import { ReactionsLayer } from './ReactionsLayer.tsx';
import { RecordingNotice } from './RecordingNotice.tsx';
import { RemoteSound } from './RemoteSound.tsx';
import { useCloseOverlayOnBack } from '../../ui/useCloseOverlayOnBack.ts';
import { RoomAnnouncer } from './RoomAnnouncer.tsx';
import { RoomBanners } from './RoomBanners.tsx';
import { RoomHeader } from './RoomHeader.tsx';
import { SidePanel } from './SidePanel.tsx';
import { PictureInPictureRoom } from './PictureInPictureRoom.tsx';
import { StageView } from './StageView.tsx';
import { useFullScreen } from './useFullScreen.ts';
import { usePictureInPicture } from './usePictureInPicture.ts';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { useRoomState, useRoomClient, useRoomSession } from './roomContext.ts';
import { useRoomShortcuts } from './useRoomShortcuts.ts';
import { useRootAttribute } from '../../ui/useRootAttribute.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useWakeLock } from '../../shell/useWakeLock.ts';
import { DevicePickers } from './DevicePickers.tsx';
import { useMeetingDocumentTitle } from './useMeetingDocumentTitle.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Connects a room to its page: title, network changes, and visibility. */
function useRoomPageEffects(): void {
  const { t } = useTexts(meetingTexts);
  const client = useRoomClient();
  useMeetingDocumentTitle(useRoomState((state) => state.meeting?.name) ?? t('meeting:title'));
  useEffect(() => {
    const changed = () => client.networkChanged();
    const { connection } = navigator as { connection?: EventTarget };
    const stops = [listen(window, ['online'], changed), connection && listen(connection, ['change'], changed)];
    return () => stops.forEach((stop) => stop?.());
  }, [client]);
  useEffect(() => {
    // A video in its own window is visible even if the page is not.
    const updateVisibility = () =>
      client.view.setHidden(document.visibilityState === 'hidden' && !document.pictureInPictureElement);
    return listen(document, ['visibilitychange'], updateVisibility);
  }, [client]);
  useWakeLock();
}

const idleMs = 4_000;

/** Returns true if there has been no input in the room for a while. */
function useIsIdle(room: RefObject<HTMLElement | null>, isPaused: boolean): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const element = room.current;
    if (!element || isPaused) return undefined;
    let timer = setTimeout(() => setIdle(true), idleMs);
    const active = () => {
      setIdle(false);
      clearTimeout(timer);
      timer = setTimeout(() => setIdle(true), idleMs);
    };
    const stop = listen(window, ['pointermove', 'pointerdown', 'keydown', 'focusin'], active);
    return () => {
      clearTimeout(timer);
      setIdle(false);
      stop();
    };
  }, [room, isPaused]);
  return idle && !isPaused;
}

function RecordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTexts(meetingTexts);
  const { recording } = useRoomSession();
  return (
    <ConfirmDialog
      open={open}
      danger={false}
      onCancel={onClose}
      title={t('meeting:recording.startTitle')}
      text={t('meeting:recording.startText')}
      confirmLabel={t('meeting:recording.startNow')}
      onConfirm={async () => {
        // The browser requires a recent press to ask for the file's destination.
        const begun = recording.start();
        onClose();
        await begun;
      }}
    />
  );
}

/** Device settings inside a meeting. Choices apply immediately. */
function DeviceDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTexts(meetingTexts);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t('meeting:room.devices')}>
      <DevicePickers />
    </Dialog>
  );
}

const InviteDialog = lazyDialog(async () => (await import('./InviteDialog.tsx')).InviteDialog);

/** Inside a meeting: the stage, its controls, and the people or chat panel. */
export function Room({ chat }: { chat: ((conversationId: string) => ReactNode) | undefined }) {
  const { t } = useTexts(meetingTexts);
  const client = useRoomClient();
  const root = useRef<HTMLDivElement>(null);
  const [panel, setPanel] = useState<PanelName | null>(null);
  const [dialog, setDialog] = useState<RoomDialogName | null>(null);
  // Stored while in the room, because reopening the dialog must not invalidate earlier links.
  const [directLink, setDirectLink] = useState<string | null>(null);
  const [layout, setLayout] = useState<StageLayout>('grid');
  const [pinned, setPinned] = useState<string | null>(null);
  const roomy = useMediaQuery('(min-width: 768px)');
  const conversationId = useRoomState((state) => state.meeting?.conversationId ?? null);
  const fullScreen = useFullScreen();
  const name = useRoomState((state) => state.meeting?.name) ?? t('meeting:title');
  const pictureInPicture = usePictureInPicture(root, name);
  const idle = useIsIdle(root, panel !== null || dialog !== null);
  const toggle = (name: PanelName) => setPanel((open) => (open === name ? null : name));
  const hasChat = chat !== undefined && conversationId !== null;
  const leftBehind = useParticipantsLeftBehind();
  useRoomPageEffects();
  useRootAttribute('stage');
  useRoomShortcuts((name) => (name === 'people' || hasChat) && toggle(name), setDialog, fullScreen.toggle);
  const controlsHidden = idle && roomy;
  // A panel covers the stage on a phone: urgent controls move with it, and what is behind it gets no focus.
  const covered = panel !== null && !roomy;
  useCloseOverlayOnBack(covered, () => setPanel(null));
  const banners = <RoomBanners onShowPeople={() => setPanel('people')} peopleShown={panel === 'people'} />;

  return (
    <div
      ref={root}
      data-testid="meeting-room"
      className="relative flex h-dvh overflow-clip bg-sunken text-ink [color-scheme:dark] has-[~[data-call-pill]]:pt-15"
    >
      <div className="relative flex min-w-0 flex-1 flex-col">
        <div inert={covered} className="contents">
          <RoomHeader panel={panel} onPanel={toggle} hasChat={hasChat} conversationId={conversationId} />
        </div>
        {!covered && banners}
        <main aria-label={t('meeting:room.stage')} className="relative isolate min-h-0 flex-1">
          <div inert={covered} className="contents">
            <StageView
              layout={layout}
              pinned={pinned}
              onPin={setPinned}
              onInvite={() => setDialog('invite')}
              room={root}
            />
            <ReactionsLayer />
          </div>
          <RoomAnnouncer />
        </main>
        <section
          data-keep-clear
          aria-label={t('meeting:room.controls')}
          inert={covered}
          className={classNames(
            'relative z-20 shrink-0 transition-opacity duration-200 focus-within:opacity-100',
            controlsHidden ? 'opacity-0' : 'opacity-100',
          )}
        >
          <ControlsBar
            layout={layout}
            onLayout={setLayout}
            onDialog={setDialog}
            fullScreen={fullScreen}
            pictureInPicture={pictureInPicture}
            onLeave={() => (leftBehind.length > 0 ? setDialog('leave') : client.leave())}
            onPanel={toggle}
            hasChat={hasChat}
          />
        </section>
      </div>
      {panel === 'people' && (
        <SidePanel title={t('meeting:room.people')} onClose={() => setPanel(null)}>
          {covered && banners}
          <PeoplePanel pinned={pinned} onPin={setPinned} />
        </SidePanel>
      )}
      {panel === 'chat' && hasChat && (
        <SidePanel title={t('meeting:room.chat')} onClose={() => setPanel(null)}>
          {covered && banners}
          {chat(conversationId)}
        </SidePanel>
      )}
      <RemoteSound />
      {pictureInPicture.small && <PictureInPictureRoom small={pictureInPicture.small} />}
      <RecordingNotice />
      <DeviceDialog open={dialog === 'devices'} onClose={() => setDialog(null)} />
      {dialog === 'invite' && (
        <InviteDialog direct={directLink} onDirect={setDirectLink} onClose={() => setDialog(null)} />
      )}
      <RecordDialog open={dialog === 'record'} onClose={() => setDialog(null)} />
      <RoomShortcutsDialog open={dialog === 'keys'} onClose={() => setDialog(null)} />
      <LeaveDialog open={dialog === 'leave'} onClose={() => setDialog(null)} />
    </div>
  );
}

const keys = [
  ['M', 'microphone'],
  ['V', 'camera'],
  ['H', 'hand'],
  ['C', 'chat'],
  ['P', 'people'],
  ['F', 'fullScreen'],
  ['L', 'leave'],
  ['?', 'sheet'],
  ['Esc', 'close'],
] as const;

function RoomShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTexts(meetingTexts);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t('meeting:keys.title')} size="small">
      <dl>
        {keys.map(([key, name]) => (
          <div key={key} className="flex min-h-9 items-center justify-between gap-4">
            <dt className="text-14">{t(`meeting:keys.${name}`)}</dt>
            <dd>
              <kbd className="inline-flex h-6 min-w-6 items-center justify-center rounded-[6px] border border-line bg-sunken px-1.5 font-sans text-12 font-medium text-ink">
                {key}
              </kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
