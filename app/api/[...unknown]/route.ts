import { AppError } from '@/lib/domain/errors';
import { ownerRoute } from '@/lib/server/http';

const unknown = ownerRoute(() => {
  throw new AppError('not_found', 'There is nothing at this address. GET /api/openapi.json lists what there is.');
});

export { unknown as DELETE, unknown as GET, unknown as PATCH, unknown as POST, unknown as PUT };
