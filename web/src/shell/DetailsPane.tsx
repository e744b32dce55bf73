import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { IconButton } from '../ui/IconButton.tsx';
import { PaneHeader } from '../ui/PaneHeader.tsx';
import { PaneResizer } from './PaneResizer.tsx';
import { detailsPaneWidthSetting } from './paneWidth.ts';
import { useTexts } from '../i18n/texts.ts';

const defaultWidth = 340;

interface DetailsPaneProps {
  title: ReactNode;
  content: ReactNode;
  onClose: () => void;
}

/** Third column with details of what is open beside it. */
export function DetailsPane({ title, content, onClose }: DetailsPaneProps) {
  const { t } = useTexts();
  const width = useStore(detailsPaneWidthSetting.store, (state) => state.width);
  return (
    <aside
      style={{ width: detailsPaneWidthSetting.clamped(width ?? defaultWidth) }}
      className="relative flex min-h-0 shrink-0 animate-slide-in flex-col border-s border-line bg-panel"
    >
      <PaneHeader
        title={<h2 className="truncate text-16 font-semibold">{title}</h2>}
        close={<IconButton label={t('common.close')} icon={<X />} onClick={onClose} />}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">{content}</div>
      <PaneResizer pane={detailsPaneWidthSetting} name={t('shell.details')} defaultWidth={defaultWidth} side="start" />
    </aside>
  );
}
