import { useLocation } from 'react-router-dom';
import { BackLink } from '../../shell/BackLink.tsx';
import { classNames } from '../../ui/classNames.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/** Button back to the list that a conversation covers on phones. */
export function BackToList({ className }: { className?: string }) {
  const { t } = useTexts(conversationTexts);
  const { pathname, search } = useLocation();
  const [, list] = /^(\/(?:starred|search))\//.exec(pathname) ?? [];
  return (
    <BackLink
      to={list === undefined ? '/' : list + search}
      label={t(list === undefined ? 'conversation:back' : 'common.back')}
      className={classNames('md:hidden', className)}
    />
  );
}
