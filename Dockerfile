# The two commands in a container: docker build -t ofer . && docker run ofer
# The digest is that of 19 September 2026, as the publisher's list of tags had it; the newest one:
# docker buildx imagetools inspect python:3.11-slim-bookworm
FROM python:3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b
RUN apt-get update && apt-get install -y --no-install-recommends make chromium \
    && rm -rf /var/lib/apt/lists/* && useradd --create-home reader && install -d -o reader /ofer
USER reader
WORKDIR /ofer
COPY --chown=reader . .
RUN make book
CMD ["make", "test"]
