import { ShieldX } from 'lucide-react';
import { useSelf } from '../session/self.ts';
import { EmptyState } from '../ui/EmptyState.tsx';

/** Refuses people who are not operators. Shows the account's id, for the installation's owner, who may grant access. */
export function OperatorsOnly({ title, text }: { title: string; text: string }) {
  const { id } = useSelf();
  return (
    <EmptyState
      className="pt-16"
      icon={<ShieldX />}
      title={title}
      description={text}
      action={
        <code dir="ltr" className="rounded-control bg-sunken px-3 py-2 font-mono text-13 break-all select-all">
          {id}
        </code>
      }
    />
  );
}
