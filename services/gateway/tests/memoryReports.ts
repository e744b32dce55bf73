import { fail } from '@nolo/kit/errors';
import { newId } from '@nolo/kit/ids';
import { rpcService } from '@nolo/kit/rpc';
import { ReportServiceService } from '@nolo/proto/reports';

/** The part of identity that takes reports, as far as the gateway can tell: nobody is an operator. */
export function memoryReports() {
  const refuse = () => Promise.reject(fail('forbidden', 'not_operator', 'Only operators may do this.'));
  return rpcService(ReportServiceService, {
    createReport: async () => ({ id: newId() }),
    listReports: refuse,
    changeReport: refuse,
    getReportPicture: refuse,
  });
}
