import { Download, Phone, Settings, UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { ScreenHeader } from '../../app/ScreenHeader.tsx';
import { installStore } from '../../state/install.ts';
import { toast } from '../../state/toasts.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { useCallsExist } from '../calls/useCallsExist.ts';
import { MeetingButtons } from '../meetings/MeetingButtons.tsx';
import { SelfCard } from './SelfCard.tsx';

/** Opens the Add Contact dialog on the contacts screen. */
export const addContactState = { addContact: true };

/** The bar over the list: the title on phones, one's own card where there is a sidebar. */
export function ListHeader({ wide }: { wide: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const callsExist = useCallsExist();
  const offer = useStore(installStore, (state) => state.offer);
  const install = () => {
    void offer?.prompt().then((accepted) => {
      if (accepted) toast({ kind: 'success', title: t('chats.installing') });
    });
  };
  const buttons = (
    <>
      {offer !== null && <IconButton label={t('chats.install')} icon={<Download />} onClick={install} />}
      <IconButton
        label={t('chats.addContact')}
        icon={<UserPlus />}
        onClick={() => void navigate('/contacts', { state: addContactState })}
      />
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
      <MeetingButtons />
    </>
  );
}
