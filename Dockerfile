# The command alone, without a system around it:
#
#   docker build --tag sutler .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/rules" sutler check .
#
# Its libraries are linked in, so that nothing else is needed to run it. What is built in is fixed by Cargo.lock.
FROM rust:1.95-alpine AS build
RUN apk add --no-cache musl-dev
WORKDIR /sutler
COPY . .
ENV CONST_RANDOM_SEED=sutler
RUN cargo build --release --locked --bin sutler

FROM scratch
COPY --from=build /sutler/target/release/sutler /sutler
COPY --from=build /sutler/LICENSE-MIT /sutler/LICENSE-APACHE /
WORKDIR /rules
USER 65534:65534
ENTRYPOINT ["/sutler"]
CMD ["--help"]
