import { Download, Settings, SquarePen } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { installStore } from '../shell/install.ts';
import { toast } from '../ui/toasts.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { useAreCallsAvailable } from '../chat/calling/useAreCallsAvailable.ts';
import { useAreGroupsAvailable } from '../groups/useAreGroupsAvailable.ts';
import { useAreMeetingsAvailable } from '../meetings/useAreMeetingsAvailable.ts';
import { SelfCard } from '../chat/list/SelfCard.tsx';
import { lazyOptional } from '../ui/lazyComponents.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { useTexts } from '../i18n/texts.ts';

const NewSheet = lazyDialog(async () => (await import('./StartSheet.tsx')).StartSheet);

function OpenStartSheetButton() {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label={t('chats.new')} icon={<SquarePen />} onClick={() => setOpen(true)} />
      {open && <NewSheet onClose={() => setOpen(false)} />}
    </>
  );
}

/* Loaded later, because users look for other things first; their space is reserved. */
const NewGroupButton = lazyOptional(async () => (await import('../groups/GroupButtons.tsx')).NewGroupButton);
const NewMeetingButton = lazyOptional(
  async () => (await import('../meetings/MeetingButtons.tsx')).CreateOrJoinMeetingButton,
);

/* Phones only. */
const ChatsOrCalls = lazyOptional(async () => (await import('../shell/ChatsOrCallsSwitch.tsx')).ChatsOrCallsSwitch);

/**
 * Header of the list: the title on phones; next to a sidebar, the user, the search and the actions to start something.
 */
export function ChatListHeader({ wide, search }: { wide: boolean; search: ReactNode }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const callsExist = useAreCallsAvailable();
  const groupsExist = useAreGroupsAvailable();
  const meetingsExist = useAreMeetingsAvailable();
  const offer = useStore(installStore, (state) => state.offer);
  const install = () => {
    void offer?.prompt().then((accepted) => {
      if (accepted) toast({ kind: 'success', title: t('chats.installing') });
    });
  };
  const installButton = offer !== null && (
    <IconButton label={t('chats.install')} icon={<Download />} onClick={install} />
  );
  if (!wide) {
    return (
      <>
        <ScreenHeader
          title={t('chats.title')}
          actions={
            <>
              {installButton}
              <OpenStartSheetButton />
              <IconButton label={t('chats.settings')} icon={<Settings />} onClick={() => void navigate('/profile')} />
            </>
          }
        />
        {callsExist && (
          <Suspense fallback={<div className="mb-2 h-11 shrink-0" />}>
            <ChatsOrCalls />
          </Suspense>
        )}
        <div className="mx-4 mb-2">{search}</div>
      </>
    );
  }
  return (
    <>
      <header
        data-keep-clear
        className="flex h-16 shrink-0 items-center gap-1 ps-2 pe-3 pt-[env(safe-area-inset-top)] box-content"
      >
        <h1 className="sr-only">{t('chats.title')}</h1>
        <SelfCard />
        {installButton}
        <OpenStartSheetButton />
      </header>
      <div className="mx-3 mb-2">{search}</div>
      {(groupsExist || meetingsExist) && (
        <div className="@container mx-3 mb-2 flex min-h-10 shrink-0 flex-wrap gap-2">
          <Suspense>
            {groupsExist && <NewGroupButton />}
            {meetingsExist && <NewMeetingButton />}
          </Suspense>
        </div>
      )}
    </>
  );
}
