import { EllipsisVertical } from 'lucide-react';
import { useContext } from 'react';
import { classNames } from '../../ui/classNames.ts';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';
import { besideBubbleButtonClasses } from './bubbleStyles.ts';
import { RowsSettledContext } from './messageListContext.ts';

const variants = {
  /** Button beside a bubble. */
  beside: {
    button: `${besideBubbleButtonClasses} text-muted hover:bg-hover hover:text-ink`,
    hidden: 'opacity-0 group-hover/message:opacity-100 group-focus/message:opacity-100',
    icon: 'size-[18px]',
  },
  /** Button in the corner of a picture. */
  over: {
    button: 'absolute end-1 top-1 size-7 bg-[rgb(0_0_0/0.5)] text-[#fff]',
    hidden: 'opacity-0 group-hover/picture:opacity-100 group-focus/picture:opacity-100',
    icon: 'size-4',
  },
};

/**
 * Opens a message's menu with the mouse. Touch users press and hold the message, and the keyboard has a shortcut. The
 * list handles the press.
 */
export function MessageMenuButton(props: { open: boolean; variant: keyof typeof variants }) {
  const stands = useContext(RowsSettledContext);
  if (stands) return <Button {...props} />;
  // Placeholder as large as the button beside a bubble.
  return (
    props.variant === 'beside' && <span className={classNames(besideBubbleButtonClasses, 'pointer-coarse:hidden')} />
  );
}

function Button({ open, variant }: { open: boolean; variant: keyof typeof variants }) {
  const { t } = useMessageRowTexts();
  const { button, hidden, icon } = variants[variant];
  return (
    <button
      type="button"
      tabIndex={-1}
      data-menu
      aria-label={t('conversation:menu')}
      aria-haspopup="menu"
      className={classNames(
        'inline-flex items-center justify-center rounded-full pointer-coarse:hidden',
        button,
        !open && hidden,
      )}
    >
      <EllipsisVertical aria-hidden="true" className={icon} />
    </button>
  );
}
