import { useLocation } from 'react-router-dom';
import { BackLink } from '../../shell/BackLink.tsx';
import { classNames } from '../../ui/classNames.ts';
import { useMessageWords } from '../words/useMessageWords.ts';

/** Button back to the list that a conversation covers on phones. */
export function BackToList({ className }: { className?: string }) {
  const { t } = useMessageWords();
  const { pathname, search } = useLocation();
  const [, list] = /^(\/(?:starred|search))\//.exec(pathname) ?? [];
  return (
    <BackLink
      to={list === undefined ? '/' : list + search}
      label={t(list === undefined ? 'conversation.back' : 'common.back')}
      className={classNames('md:hidden', className)}
    />
  );
}
