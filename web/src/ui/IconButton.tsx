import { PlainIconButton, type PlainIconButtonProps } from './PlainIconButton.tsx';
import { Tooltip } from './Tooltip.tsx';

export interface IconButtonProps extends PlainIconButtonProps {
  /** True to omit the tooltip, for example as the trigger of a menu that opens immediately. */
  plain?: boolean;
  tooltipSide?: 'top' | 'bottom' | 'left' | 'right';
}

/** Square icon button. Its label is the accessible name and the tooltip's text. */
export function IconButton({ plain = false, tooltipSide, ...rest }: IconButtonProps) {
  if (plain) return <PlainIconButton {...rest} />;
  return (
    <Tooltip label={rest.label} side={tooltipSide}>
      <PlainIconButton {...rest} />
    </Tooltip>
  );
}
