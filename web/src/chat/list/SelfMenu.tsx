import { routes } from '@nolo/api';
import { presenceStatuses, type PresenceStatus } from '@nolo/rules';
import { LogOut, Settings, Star } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { call } from '../../api/httpClient.ts';
import { useSelf } from '../../session/self.ts';
import { useRequestSignOut } from '../../session/useRequestSignOut.ts';
import { sessionStore } from '../../session/session.ts';
import { useAction } from '../../ui/useAction.ts';
import { MenuChoice, MenuItems, MenuLabel, MenuOverButton, MenuSeparator } from '../../ui/DropdownMenu.tsx';
import { PresenceDot } from '../../ui/PresenceDot.tsx';
import { useTexts } from '../../i18n/texts.ts';

/** Menu of the user's card. It opens over the card, which is a separate button that loads earlier. */
export function SelfMenu({ onClose }: { onClose: () => void }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const self = useSelf();
  const signOut = useRequestSignOut();

  const { signedIn } = sessionStore.getState();
  const choosing = useAction(
    (presenceStatus: PresenceStatus) => {
      signedIn({ ...self, presenceStatus });
      return call(routes.updateProfile, { body: { presenceStatus } }).catch((error: unknown) => {
        signedIn(self);
        throw error;
      });
    },
    { failure: () => ({ title: t('errors.updateProfile') }), onDone: signedIn },
  );
  return (
    <MenuOverButton onClose={onClose}>
      <div className="flex max-w-64 flex-col px-2.5 py-2">
        <span dir="auto" className="truncate text-ui-start text-14 font-semibold">
          {self.displayName}
        </span>
        <span dir="auto" className="text-ui-start text-13 text-muted wrap-anywhere">
          {self.statusMessage === '' ? t(`presence.${self.presenceStatus}`) : self.statusMessage}
        </span>
      </div>
      <MenuSeparator />
      <MenuLabel>{t('chats.presence')}</MenuLabel>
      <MenuChoice
        label={t('chats.presence')}
        value={self.presenceStatus}
        onValueChange={(chosen) => void choosing.run(chosen)}
        options={presenceStatuses.map((value) => ({
          value,
          label: value === 'offline' ? t('chats.appearOffline') : t(`presence.${value}`),
          icon: <PresenceDot presence={value} decorative className="mx-1" />,
        }))}
      />
      <MenuSeparator />
      <MenuItems
        entries={[
          { icon: <Star />, label: t('chats.starred'), onSelect: () => void navigate('/starred') },
          { icon: <Settings />, label: t('chats.settings'), onSelect: () => void navigate('/profile') },
          { icon: <LogOut className="rtl:-scale-x-100" />, label: t('chats.logout'), onSelect: signOut },
        ]}
      />
    </MenuOverButton>
  );
}
