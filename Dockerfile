# PostgreSQL with jsonrow in place, for CREATE EXTENSION:
#
#   docker build --build-arg PG_MAJOR=18 -t jsonrow .
#   docker run -e POSTGRES_PASSWORD=secret jsonrow -c session_preload_libraries=jsonrow \
#     -c jsonrow.accelerate=on -c jsonrow.unnest=on
ARG PG_MAJOR=18

FROM postgres:${PG_MAJOR} AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev make "postgresql-server-dev-$PG_MAJOR"
COPY . /jsonrow
RUN make -C /jsonrow -j "$(nproc)" PG_CONFIG="/usr/lib/postgresql/$PG_MAJOR/bin/pg_config" \
	&& make -C /jsonrow PG_CONFIG="/usr/lib/postgresql/$PG_MAJOR/bin/pg_config" DESTDIR=/installed install

FROM postgres:${PG_MAJOR}
COPY --from=build /installed /
