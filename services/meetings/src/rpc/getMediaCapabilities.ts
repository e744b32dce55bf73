import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import type { Dependencies } from './dependencies.ts';

export function getMediaCapabilities({
  media,
}: Dependencies): RpcHandler<typeof MeetingServiceService.getMediaCapabilities> {
  return async () => ({ rtpCapabilitiesJson: media.rtpCapabilitiesJson() });
}
