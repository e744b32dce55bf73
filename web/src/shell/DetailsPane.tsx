import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/IconButton.tsx';
import { PaneHeader } from '../ui/PaneHeader.tsx';

interface DetailsPaneProps {
  title: ReactNode;
  content: ReactNode;
  onClose: () => void;
}

/** The third column: what is known of what is open beside it. */
export function DetailsPane({ title, content, onClose }: DetailsPaneProps) {
  const { t } = useTranslation();
  return (
    <aside className="flex min-h-0 w-85 shrink-0 animate-slide-in flex-col border-s border-line bg-panel">
      <PaneHeader
        title={<h2 className="truncate text-16 font-semibold">{title}</h2>}
        close={<IconButton label={t('common.close')} icon={<X />} onClick={onClose} />}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">{content}</div>
    </aside>
  );
}
