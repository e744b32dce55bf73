import type { RpcHandlers } from '@nolo/kit/rpc';
import type { StatusServiceDefinition } from '@nolo/proto/status';
import { getStatusAudience, setStatusAudience, setStatusMute } from './choices.ts';
import type { Dependencies } from './dependencies.ts';
import { canReadStatusFile, listStatusFiles } from './files.ts';
import { exportStatuses, listStatuses, postStatus, removeStatus } from './statuses.ts';
import { listStatusReaders, listStatusViewers, viewStatus } from './views.ts';

/** Handlers of the StatusService. */
export function createStatusHandlers(dependencies: Dependencies): RpcHandlers<typeof StatusServiceDefinition> {
  return {
    postStatus: postStatus(dependencies),
    listStatuses: listStatuses(dependencies),
    viewStatus: viewStatus(dependencies),
    removeStatus: removeStatus(dependencies),
    listStatusViewers: listStatusViewers(dependencies),
    getStatusAudience: getStatusAudience(dependencies),
    setStatusAudience: setStatusAudience(dependencies),
    setStatusMute: setStatusMute(dependencies),
    exportStatuses: exportStatuses(dependencies),
    canReadStatusFile: canReadStatusFile(dependencies),
    listStatusFiles: listStatusFiles(dependencies),
    listStatusReaders: listStatusReaders(dependencies),
  };
}
