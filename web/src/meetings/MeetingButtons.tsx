import { LogIn, Video } from 'lucide-react';
import { useState } from 'react';
import { ActionMenuButton } from '../ui/ActionMenuButton.tsx';
import { Button } from '../ui/Button.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import type { MeetingDialogRequest } from './MeetingDialogs.tsx';
import { useTexts } from '../i18n/texts.ts';

/* The dialogs and their texts load when the first one opens. */
const MeetingDialogs = lazyDialog(
  async () => (await import('./MeetingDialogs.tsx')).MeetingDialogs,
  ({ onChange }) => onChange(null),
);

function useDialogs() {
  const [dialog, setDialog] = useState<MeetingDialogRequest | null>(null);
  const dialogs = dialog !== null && <MeetingDialogs entry="sidebar" dialog={dialog} onChange={setDialog} />;
  return { open: setDialog, dialogs };
}

export function CreateOrJoinMeetingButton() {
  const { t } = useTexts();
  const { open, dialogs } = useDialogs();
  return (
    <>
      <ActionMenuButton
        icon={<Video aria-hidden="true" />}
        label={t('chats.newMeeting')}
        actions={[
          { label: t('chats.createMeeting'), icon: <Video />, onSelect: () => open({ kind: 'create' }) },
          {
            label: t('chats.joinMeeting'),
            icon: <LogIn className="rtl:-scale-x-100" />,
            onSelect: () => open({ kind: 'join' }),
          },
        ]}
      />
      {dialogs}
    </>
  );
}

export function CreateMeetingButton() {
  const { t } = useTexts();
  const { open, dialogs } = useDialogs();
  return (
    <>
      <Button kind="secondary" onClick={() => open({ kind: 'create' })}>
        {t('chats.createMeeting')}
      </Button>
      {dialogs}
    </>
  );
}
