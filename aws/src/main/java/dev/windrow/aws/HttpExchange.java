package dev.windrow.aws;

/** A request that needs a connection. All methods are called on the connection pool's event loop. */
interface HttpExchange {

    void connected(HttpConnection connection);

    /** Reports the response; another exchange may already have the connection. */
    void answered(HttpResponse response);

    /** Reports that there will be no response: there is no connection, or it broke. */
    void failed(Throwable failure);
}
