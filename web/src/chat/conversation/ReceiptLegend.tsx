import { Check, CheckCheck, Clock3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { readTickClasses } from './bubbleStyles.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/** Explains the ticks on the user's own messages. */
export function ReceiptLegend() {
  const { t } = useTexts(conversationTexts);
  const rows: { icon: ReactNode; label: string }[] = [
    { icon: <Clock3 className="size-4" />, label: t('conversation:state.sending') },
    { icon: <Check className="size-4" />, label: t('conversation:state.sent') },
    { icon: <CheckCheck className="size-4" />, label: t('conversation:state.delivered') },
    { icon: <CheckCheck className={readTickClasses} />, label: t('conversation:state.read') },
  ];
  return (
    <>
      <ul className="grid grid-cols-2 gap-x-3 gap-y-1.5 text-13 text-muted">
        {rows.map(({ icon, label }) => (
          <li key={label} className="flex items-center gap-2 [&_svg]:shrink-0">
            {icon}
            {label}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-13 text-muted">{t('conversation:receiptsText')}</p>
    </>
  );
}
