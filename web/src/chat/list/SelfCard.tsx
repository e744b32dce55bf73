import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useReachable } from '../context/chatContext.ts';
import { useSelf } from '../../session/self.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { asked } from '../../ui/parts.tsx';
import { useMenuButton } from '../../ui/useMenuButton.ts';

/* Menus weigh as much as the list of conversations; this one comes when a hand goes towards it. */
const loadMenu = async () => (await import('./SelfMenu.tsx')).SelfMenu;
const SelfMenu = asked(loadMenu);

/** Oneself at the head of the sidebar, with one's presence: opens what others see, and the way to settings and out. */
export function SelfCard() {
  const { t } = useTranslation();
  const self = useSelf();
  const presence = useReachable() ? self.presenceStatus : 'offline';
  const { open, close, buttonProps } = useMenuButton();
  return (
    <div className="relative flex shrink-0">
      <button
        {...buttonProps}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        className="tap flex size-12 items-center justify-center rounded-card hover:bg-hover aria-expanded:bg-hover"
      >
        <span className="sr-only">{t('chats.account')}</span>
        <Avatar name={self.displayName} imageUrl={self.profileImageUrl} presence={presence} />
      </button>
      {open && (
        <Suspense>
          <SelfMenu onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
