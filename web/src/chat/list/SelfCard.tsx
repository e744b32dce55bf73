import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReachable } from '../context/chatContext.ts';
import { useSelf } from '../../session/self.ts';
import { Avatar } from '../../ui/Avatar.tsx';

/* Menus weigh as much as the list of conversations; this one comes when a hand goes towards it. */
const loadMenu = async () => ({ default: (await import('./SelfMenu.tsx')).SelfMenu });
const SelfMenu = lazy(loadMenu);

/** Oneself at the head of the sidebar, with one's presence: opens what others see, and the way to settings and out. */
export function SelfCard() {
  const { t } = useTranslation();
  const self = useSelf();
  const presence = useReachable() ? self.presenceStatus : 'offline';
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** The press that is being made closes the menu, and must not open it again. */
  const closing = useRef(false);
  const close = () => {
    setOpen(false);
    requestAnimationFrame(() => {
      // Unless what was chosen has taken it.
      if (document.activeElement === document.body) button.current?.focus();
    });
  };
  return (
    <div className="relative flex shrink-0">
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onPointerDownCapture={() => (closing.current = open)}
        onClick={() => {
          if (!closing.current) setOpen(true);
          closing.current = false;
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
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
