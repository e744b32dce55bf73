import { ChevronsUpDown } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReachable } from '../context/chatContext.ts';
import { useSelf } from '../../session/self.ts';
import { Avatar } from '../../ui/Avatar.tsx';

/* Menus weigh as much as the list of conversations; this one comes when a hand goes towards it. */
const loadMenu = async () => ({ default: (await import('./SelfMenu.tsx')).SelfMenu });
const SelfMenu = lazy(loadMenu);

/** Oneself at the head of the sidebar: presence and status message, and the way to settings and out. */
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
    <div className="relative flex min-w-0 flex-1">
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
        className="flex h-12 min-w-0 flex-1 items-center gap-3 rounded-card px-2 text-start hover:bg-hover aria-expanded:bg-hover"
      >
        <span className="sr-only">{t('chats.account')}</span>
        <Avatar name={self.displayName} imageUrl={self.profileImageUrl} presence={presence} />
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate text-ui-start text-14 font-semibold">
            {self.displayName}
          </span>
          <span dir="auto" className="block truncate text-ui-start text-12 text-muted">
            {self.statusMessage === '' ? t(`presence.${presence}`) : self.statusMessage}
          </span>
        </span>
        <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
      </button>
      {open && (
        <Suspense>
          <SelfMenu onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
