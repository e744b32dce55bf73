import { routes } from '@nolo/api';
import {
  Ellipsis,
  GalleryVertical,
  Keyboard,
  LayoutGrid,
  Lock,
  LockOpen,
  Maximize,
  MessageSquare,
  MicOff,
  Minimize,
  OctagonX,
  PictureInPicture2,
  Settings2,
  UserPlus,
  Users,
  Circle,
  CircleStop,
} from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { call } from '../../api/httpClient.ts';
import { isHosting } from '@nolo/client/rooms/roomState';
import { classNames } from '../../ui/classNames.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuChoice, MenuItem, MenuSeparator } from '../../ui/DropdownMenu.tsx';
import { controlClasses, type ControlsBarProps } from './controls.ts';
import { useRoomState, useRoomSession } from './roomContext.ts';
import { useHostActions } from './useHostActions.ts';
import { canRecord } from './media/MeetingRecording.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Menu item for hosts: starts a recording, or ends the running one of any host. */
function RecordingMenuItem({ onStart }: { onStart: () => void }) {
  const { t } = useTexts(meetingTexts);
  const { recording, roomCode } = useRoomSession();
  const meeting = useRoomState((state) => state.meeting);
  const own = useStore(recording.store, (state) => state.name);
  const { attempt } = useHostActions();
  if (!meeting) return null;
  if (own === 'running') {
    return (
      <MenuItem icon={<CircleStop />} onSelect={() => void recording.stop()}>
        {t('meeting:recording.stop')}
      </MenuItem>
    );
  }
  if (meeting.isRecording) {
    return (
      <MenuItem
        icon={<CircleStop />}
        onSelect={() =>
          void attempt(() =>
            call(routes.updateMeeting, {
              params: { roomCode: meeting.roomCode || roomCode },
              body: { isRecording: false },
            }),
          )
        }
      >
        {t('meeting:recording.stop')}
      </MenuItem>
    );
  }
  if (!meeting.settings.allowRecording || !canRecord() || own !== 'idle') return null;
  return (
    <MenuItem icon={<Circle />} onSelect={onStart}>
      {t('meeting:recording.start')}
    </MenuItem>
  );
}

/** Menu of less frequent actions, and of hosts' actions on the whole room. */
export function MoreMenu({
  layout,
  onLayout,
  onDialog,
  onPanel,
  hasChat,
  fullScreen,
  pictureInPicture,
}: ControlsBarProps) {
  const { t } = useTexts(meetingTexts);
  const { roomCode } = useRoomSession();
  const meeting = useRoomState((state) => state.meeting);
  const hosting = useRoomState((state) => isHosting(state.participants[state.selfId ?? '']));
  const { moderate, attempt } = useHostActions();
  const [ending, setEnding] = useState(false);
  const code = meeting?.roomCode ?? roomCode;
  return (
    <>
      <DropdownMenu
        side="top"
        align="center"
        trigger={
          <button
            type="button"
            aria-label={t('common.more')}
            data-testid="control-more"
            className={classNames(controlClasses, 'bg-raised text-ink hover:bg-overlay aria-expanded:bg-overlay')}
          >
            <Ellipsis />
          </button>
        }
      >
        <MenuChoice
          label={t('meeting:room.layout')}
          value={layout}
          onValueChange={onLayout}
          options={[
            { value: 'grid', label: t('meeting:room.grid'), icon: <LayoutGrid /> },
            { value: 'speaker', label: t('meeting:room.speaker'), icon: <GalleryVertical /> },
          ]}
        />
        <MenuSeparator />
        <MenuItem icon={<Users />} onSelect={() => onPanel('people')}>
          {t('meeting:room.people')}
        </MenuItem>
        {hasChat && (
          <MenuItem icon={<MessageSquare />} onSelect={() => onPanel('chat')}>
            {t('meeting:room.chat')}
          </MenuItem>
        )}
        {meeting && (
          <MenuItem icon={<UserPlus />} onSelect={() => onDialog('invite')}>
            {t('meeting:room.invite')}
          </MenuItem>
        )}
        <MenuItem icon={<Settings2 />} onSelect={() => onDialog('devices')}>
          {t('meeting:room.devices')}
        </MenuItem>
        {pictureInPicture.possible && (
          <MenuItem icon={<PictureInPicture2 />} onSelect={pictureInPicture.open}>
            {t('meeting:room.pictureInPicture')}
          </MenuItem>
        )}
        {fullScreen.possible && (
          <MenuItem icon={fullScreen.on ? <Minimize /> : <Maximize />} onSelect={fullScreen.toggle}>
            {t(fullScreen.on ? 'meeting:room.exitFullScreen' : 'meeting:room.fullScreen')}
          </MenuItem>
        )}
        <MenuItem icon={<Keyboard />} onSelect={() => onDialog('keys')}>
          {t('meeting:room.shortcuts')}
        </MenuItem>
        {hosting && meeting && (
          <>
            <MenuSeparator />
            <MenuItem icon={<MicOff />} onSelect={() => void moderate('mute')}>
              {t('meeting:room.muteAll')}
            </MenuItem>
            <MenuItem
              icon={meeting.locked ? <LockOpen /> : <Lock />}
              onSelect={() =>
                void attempt(() =>
                  call(routes.updateMeeting, { params: { roomCode: code }, body: { locked: !meeting.locked } }),
                )
              }
            >
              {t(meeting.locked ? 'meeting:room.unlock' : 'meeting:room.lock')}
            </MenuItem>
            <RecordingMenuItem onStart={() => onDialog('record')} />
            <MenuItem danger icon={<OctagonX />} onSelect={() => setEnding(true)}>
              {t('meeting:room.endForAll')}
            </MenuItem>
          </>
        )}
      </DropdownMenu>
      <ConfirmDialog
        open={ending}
        onCancel={() => setEnding(false)}
        title={t('meeting:room.endTitle')}
        text={t('meeting:room.endText')}
        confirmLabel={t('meeting:room.endForAll')}
        onConfirm={async () => {
          if (await attempt(() => call(routes.endMeeting, { params: { roomCode: code } }))) setEnding(false);
        }}
      />
    </>
  );
}
