import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { listen } from '../../device/listen.ts';
import { PaneHeader } from '../../ui/PaneHeader.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { useTexts } from '../../i18n/texts.ts';

/** Returns true if no element has the focus, because the focused one was removed. */
const focusIsLost = () => document.activeElement === null || document.activeElement === document.body;

/** People or chat panel beside the stage, or over it on phones. Escape closes it and restores the focus. */
export function SidePanel({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTexts();
  const panel = useRef<HTMLElement>(null);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    const inside = event.target instanceof Node && panel.current?.contains(event.target) === true;
    if (!inside && !focusIsLost()) return;
    event.preventDefault();
    onClose();
  });
  useEffect(() => listen(window, ['keydown'], (event: KeyboardEvent) => onKeyDown(event)), []);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={title}
      className="absolute inset-0 z-30 flex min-h-0 animate-slide-in flex-col bg-panel outline-none md:static md:w-90 md:shrink-0 md:border-s md:border-line"
    >
      <PaneHeader
        title={<h2 className="truncate text-16 font-semibold">{title}</h2>}
        close={<PlainIconButton label={t('common.close')} icon={<X />} onClick={onClose} />}
      />
      {children}
    </aside>
  );
}
