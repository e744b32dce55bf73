import { Download, Phone, Settings } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { installStore } from '../shell/install.ts';
import { toast } from '../ui/toasts.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { useCallsExist } from '../calls/start/useCallsExist.ts';
import { useGroupsExist } from '../groups/useGroupsExist.ts';
import { useMeetingsExist } from '../meetings/useMeetingsExist.ts';
import { SelfCard } from '../chat/list/SelfCard.tsx';

/* Not what one looks for first; their place is kept meanwhile. */
const loadButtons = () => import('../groups/GroupButtons.tsx');
const GroupButtons = lazy(async () => ({ default: (await loadButtons()).GroupButtons }));
const NewGroupButton = lazy(async () => ({ default: (await loadButtons()).NewGroupButton }));

const AddContactIcon = lazy(async () => ({
  default: (await import('../people/AddContactButtons.tsx')).AddContactIcon,
}));

const MeetingButtons = lazy(async () => ({
  default: (await import('../meetings/MeetingButtons.tsx')).MeetingButtons,
}));

/** The bar over the list: the title on phones, one's own card where there is a sidebar. */
export function ListHeader({ wide }: { wide: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const callsExist = useCallsExist();
  const groupsExist = useGroupsExist();
  const meetingsExist = useMeetingsExist();
  const offer = useStore(installStore, (state) => state.offer);
  const install = () => {
    void offer?.prompt().then((accepted) => {
      if (accepted) toast({ kind: 'success', title: t('chats.installing') });
    });
  };
  const buttons = (
    <>
      {offer !== null && <IconButton label={t('chats.install')} icon={<Download />} onClick={install} />}
      {groupsExist && (
        <Suspense fallback={<span className="size-10 shrink-0" />}>
          <NewGroupButton entry={wide ? 'desktop' : 'mobile'} />
        </Suspense>
      )}
      <Suspense fallback={<span className="size-10 shrink-0" />}>
        <AddContactIcon />
      </Suspense>
    </>
  );
  if (!wide) {
    return (
      <ScreenHeader
        title={t('chats.title')}
        actions={
          <>
            {buttons}
            {callsExist && (
              <IconButton label={t('call.list')} icon={<Phone />} onClick={() => void navigate('/calls')} />
            )}
            <IconButton label={t('chats.settings')} icon={<Settings />} onClick={() => void navigate('/profile')} />
          </>
        }
      />
    );
  }
  return (
    <>
      <header className="flex h-16 shrink-0 items-center gap-1 px-2 pt-[env(safe-area-inset-top)] box-content">
        <h1 className="sr-only">{t('chats.title')}</h1>
        <SelfCard />
        {buttons}
      </header>
      {meetingsExist && (
        <Suspense fallback={<div className="mb-3 h-8 shrink-0" />}>
          <MeetingButtons />
        </Suspense>
      )}
      {groupsExist && (
        <Suspense fallback={<div className="-mt-1 mb-3 h-8 shrink-0" />}>
          <GroupButtons />
        </Suspense>
      )}
    </>
  );
}
