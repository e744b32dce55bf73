import { routes } from '@nolo/api';
import { presenceStatuses } from '@nolo/rules';
import type { PresenceStatus } from '@nolo/rules';
import { ChevronsUpDown, LogOut, Settings } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { call } from '../../api/httpClient.ts';
import { signOut } from '../../app/endSession.ts';
import { useSelf } from '../../app/self.ts';
import { sessionStore } from '../../state/session.ts';
import { toast } from '../../state/toasts.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { DropdownMenu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../../ui/DropdownMenu.tsx';
import { PresenceDot } from '../../ui/PresenceDot.tsx';

/** Oneself at the head of the sidebar: presence and status message, and the way to settings and out. */
export function SelfCard() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const self = useSelf();

  const choosePresence = (presenceStatus: PresenceStatus): void => {
    const { signedIn } = sessionStore.getState();
    signedIn({ ...self, presenceStatus });
    call(routes.updateProfile, { body: { presenceStatus } })
      .then(signedIn)
      .catch(() => {
        signedIn(self);
        toast({ kind: 'error', title: t('errors.updateProfile') });
      });
  };

  return (
    <DropdownMenu
      align="start"
      trigger={
        <button
          type="button"
          className="flex h-12 min-w-0 flex-1 items-center gap-3 rounded-card px-2 text-start hover:bg-hover aria-expanded:bg-hover"
        >
          <span className="sr-only">{t('chats.account')}</span>
          <Avatar name={self.displayName} imageUrl={self.profileImageUrl} presence={self.presenceStatus} />
          <span className="min-w-0 flex-1">
            <span dir="auto" className="block truncate text-ui-start text-14 font-semibold">
              {self.displayName}
            </span>
            <span dir="auto" className="block truncate text-ui-start text-12 text-muted">
              {self.statusMessage === '' ? t(`presence.${self.presenceStatus}`) : self.statusMessage}
            </span>
          </span>
          <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      <MenuLabel>{t('chats.presence')}</MenuLabel>
      <MenuChoice
        label={t('chats.presence')}
        value={self.presenceStatus}
        onValueChange={choosePresence}
        options={presenceStatuses.map((value) => ({
          value,
          label: value === 'offline' ? t('chats.appearOffline') : t(`presence.${value}`),
          icon: <PresenceDot presence={value} decorative className="mx-1" />,
        }))}
      />
      <MenuSeparator />
      <MenuItem icon={<Settings />} onSelect={() => void navigate('/profile')}>
        {t('chats.settings')}
      </MenuItem>
      <MenuItem icon={<LogOut />} onSelect={signOut}>
        {t('chats.logout')}
      </MenuItem>
    </DropdownMenu>
  );
}
