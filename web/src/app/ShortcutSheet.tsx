import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { late } from '../ui/late.tsx';
import { takeEarlyKeys } from './earlyKeys.ts';
import { useNavEntries } from './sections.tsx';
import { createShortcutReader } from './shortcuts.ts';

const ShortcutDialog = late(async () => (await import('./ShortcutDialog.tsx')).ShortcutDialog);

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Listens for the app's shortcuts, and lists them when `?` is pressed. */
export function ShortcutSheet() {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const entries = useNavEntries();
  const paths = entries.map((entry) => entry.path).join(' ');

  useEffect(() => {
    const read = createShortcutReader(() => performance.now());
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return;
      const action = read(event);
      if (action === undefined) return;
      if (action.kind === 'sheet') setOpen(true);
      else if (document.querySelector('[role=dialog], [role=alertdialog]')) return;
      else if (action.kind === 'search') document.querySelector<HTMLInputElement>('[role=search] input')?.focus();
      else {
        const path = paths.split(' ')[action.index];
        if (path === undefined) return;
        void navigate(path);
      }
      event.preventDefault();
    };
    takeEarlyKeys().forEach(onKeyDown);
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [navigate, paths]);

  return open && <ShortcutDialog onClose={() => setOpen(false)} />;
}
