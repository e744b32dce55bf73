import { Suspense } from 'react';
import { useIsServerReachable } from '../context/chatContext.ts';
import { useSelf } from '../../session/self.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { lazyOverlay } from '../../ui/lazyComponents.tsx';
import { useMenuButton } from '../../ui/useMenuButton.ts';
import { useTexts } from '../../i18n/texts.ts';

/* Menus are as large as the conversation list, so this one loads when the user moves towards it. */
const loadMenu = async () => (await import('./SelfMenu.tsx')).SelfMenu;
const SelfMenu = lazyOverlay(loadMenu);

/**
 * Shows the user at the head of the sidebar, with presence and status message. Opens the menu with settings and
 * sign-out.
 */
export function SelfCard() {
  const { t } = useTexts();
  const self = useSelf();
  const presence = useIsServerReachable() ? self.presenceStatus : 'offline';
  const { open, close, buttonProps } = useMenuButton();
  return (
    <div className="relative flex min-w-0 flex-1">
      <button
        {...buttonProps}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        className="tap flex h-12 min-w-0 flex-1 items-center gap-2.5 rounded-card px-1 text-start hover:bg-hover aria-expanded:bg-hover"
      >
        <span className="sr-only">{t('chats.account')}</span>
        <Avatar name={self.displayName} imageUrl={self.profileImageUrl} presence={presence} />
        <span className="min-w-0 flex-1 leading-tight">
          <span dir="auto" className="block truncate text-ui-start text-14 font-semibold">
            {self.displayName}
          </span>
          <span dir="auto" className="block truncate text-ui-start text-13 text-muted">
            {self.statusMessage === '' ? t(`presence.${presence}`) : self.statusMessage}
          </span>
        </span>
      </button>
      {open && (
        <Suspense>
          <SelfMenu onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
