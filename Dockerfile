# The two commands in a container: docker build -t ofer . && docker run ofer
FROM python:3.11-slim
RUN apt-get update && apt-get install -y --no-install-recommends make chromium \
    && rm -rf /var/lib/apt/lists/* && useradd --create-home reader && install -d -o reader /ofer
USER reader
WORKDIR /ofer
COPY --chown=reader . .
RUN make book
CMD ["make", "test"]
